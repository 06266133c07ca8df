# The public names, for type checkers and editors; __init__.py loads each when it is first named.

from gin_sim.api.games import equity as equity
from gin_sim.api.hand_reading import calibrate as calibrate
from gin_sim.api.hand_table import hands as hands
from gin_sim.api.knocking import equilibrium as equilibrium
from gin_sim.api.knocking import save_policy as save_policy
from gin_sim.api.knocking import solve as solve
from gin_sim.api.loading import load as load
from gin_sim.api.matches import compare as compare
from gin_sim.api.matches import record_hands as record_hands
from gin_sim.api.matches import simulate as simulate
from gin_sim.api.positions import advise as advise
from gin_sim.api.positions import advise_file as advise_file
from gin_sim.api.positions import advise_record as advise_record
from gin_sim.api.replaying import replay as replay
from gin_sim.api.single_hands import deadwood as deadwood
from gin_sim.api.single_hands import settle as settle
from gin_sim.api.sweeps import sweep as sweep
from gin_sim.api.warming import warm as warm
from gin_sim.errors import InputError as InputError
from gin_sim.policies.making import Policy as Policy
from gin_sim.positions import parse_position as parse_position
from gin_sim.rules import Rules as Rules

__version__: str
