"""Forms of what two policies' simulation prints, as regular expressions."""

#: A figure with its interval: half its width, or its ends.
NUMBER = r"[\d.]+ (±[\d.]+|\[[\d.]+, [\d.]+\])"

#: The last line; {} is what mirroring needed fewer of.
FOOTER = (
    r"95% intervals over mirrored pairs · seed 1 · \d+\.\d\d s · \d+\.\d\d M hands/s · "
    r"mirroring needed \d\.\d\d times fewer {}"
)
