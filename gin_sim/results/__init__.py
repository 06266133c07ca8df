"""What every question is answered with: one Struct for each kind of result, and its folder on disk.

JSON, tables, text and charts are all drawn from these Structs, whether they are fresh or read back
from disk.  Nothing here plays a hand.
"""
