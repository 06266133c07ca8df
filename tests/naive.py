"""The slow oracle: what gin rummy's rules say, found by trying everything.

It decides the least deadwood, the best discards, the joint defence, the spread
that gives least away, the price of a hand, who deals and who wins a game, and
whether a recorded hand was played legally.  It refuses to know the engine: it
imports nothing of gin_sim, shares no representation with it (cards are strings
such as "Td", hands and melds are frozensets of them, rules are plain dicts) and
prefers the shortest statement of a rule to a fast one.  Memory of answers already
found is the only speed-up.  It is never weakened to make a test pass.
"""

from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

RANKS = "A23456789TJQK"
SUITS = "shdc"
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)
HAND_CARDS = 10

PIPS = {rank: min(RANKS.index(rank) + 1, 10) for rank in RANKS}

SETS = tuple(
    frozenset(rank + suit for suit in suits)
    for rank in RANKS
    for size in (3, 4)
    for suits in combinations(SUITS, size)
)
RUNS = tuple(
    frozenset(rank + suit for rank in RANKS[low:high])
    for suit in SUITS
    for low in range(13)
    for high in range(low + 3, 14)
)
MELDS = SETS + RUNS
_MELD_LOOKUP = frozenset(MELDS)


# ---------------------------------------------------------------- rule sets

STANDARD = {
    "knock_limit": 10,
    "knock_source": "fixed",  # fixed | upcard
    "ace_upcard": "one",  # one | gin; read only when knock_source is upcard
    "spade_doubles": False,
    "gin_bonus": 25,
    "big_gin_bonus": 31,  # None: eleven melded cards are ordinary gin
    "undercut_bonus": 25,
    "tie": "undercut",  # undercut | zero
    "layoff_on_gin": False,
    "may_discard_taken": False,
    "stock_floor": 2,
    "first_upcard": "offered",  # offered | none
    "box_bonus": 25,
    "box_timing": "at_end",  # at_end | at_once
    "game_bonus": 0,
    "shutout": "none",  # none | double | flat
    "shutout_bonus": 0,  # read only when shutout is flat
    "target": 100,  # None: one hand
    "dealer_rotation": "alternate",  # alternate | winner | loser
    "wash_dealer": "same",  # same | rotate
    "wall": "wash",  # wash | knock_upcard
    "stall_turns": 120,
}
PRESETS = {
    "standard": STANDARD,
    "modern": {
        **STANDARD,
        "game_bonus": 100,
        "shutout": "double",
        "dealer_rotation": "winner",
    },
    "classic": {
        **STANDARD,
        "gin_bonus": 20,
        "big_gin_bonus": None,
        "undercut_bonus": 10,
        "box_bonus": 20,
        "game_bonus": 100,
        "shutout": "flat",
        "shutout_bonus": 100,
    },
    "eaai": {**STANDARD, "big_gin_bonus": None, "box_bonus": 0},
    "openspiel": {
        **STANDARD,
        "big_gin_bonus": None,
        "tie": "zero",
        "may_discard_taken": True,
        "box_bonus": 0,
        "target": None,
        "wall": "knock_upcard",
    },
    "palace": {
        **STANDARD,
        "big_gin_bonus": None,
        "undercut_bonus": 20,
        "box_bonus": 10,
        "box_timing": "at_once",
    },
    "oklahoma": {
        **STANDARD,
        "knock_source": "upcard",
        "ace_upcard": "gin",
        "spade_doubles": True,
        "game_bonus": 100,
        "shutout": "double",
        "target": 150,
    },
    # Every knock is gin, so no undercut and no tie can come about.
    "straight": {**STANDARD, "knock_limit": 0, "undercut_bonus": 0},
}


# -------------------------------------------------------------------- cards


def cards_of(text):
    """The cards of a run-together text such as "As2sTd", in its order."""
    cards = tuple(text[i : i + 2] for i in range(0, len(text), 2))
    hand_of(cards)
    return cards


def hand_of(cards):
    """The cards as a frozenset; a card that does not exist or comes twice is an error."""
    cards = tuple(cards)
    for card in cards:
        if card not in DECK:
            raise ValueError(f"{card!r} is not a card; write rank then suit, such as 'Td'")
    if len(set(cards)) != len(cards):
        raise ValueError(f"a card comes twice in {' '.join(cards)}")
    return frozenset(cards)


def pips(card):
    """Ace 1, two to nine face value, ten jack queen king 10."""
    return PIPS[card[0]]


def total_pips(cards):
    return sum(pips(card) for card in cards)


# --------------------------------------------------- melds and arrangements


def melds_in(cards):
    """Every meld all of whose cards are in the hand."""
    cards = frozenset(cards)
    return [meld for meld in MELDS if meld <= cards]


def disjoint_choices(melds):
    """Every choice of melds (none included) that use no card twice."""
    yield frozenset()
    for i, meld in enumerate(melds):
        clear = [other for other in melds[i + 1 :] if not other & meld]
        for rest in disjoint_choices(clear):
            yield rest | {meld}


def loose(cards, arrangement):
    """The cards outside the melds."""
    return frozenset(cards).difference(*arrangement)


def deadwood(cards):
    """Pips outside the melds, least over every arrangement of 0 to 11 cards."""
    return _deadwood(hand_of(cards))


@lru_cache(maxsize=200_000)
def _deadwood(cards):
    return min(total_pips(loose(cards, choice)) for choice in disjoint_choices(melds_in(cards)))


def arrangements(cards):
    """Every arrangement with least deadwood, as a list of frozensets of melds.

    A run of six shown whole and shown as two runs of three are two arrangements.
    """
    cards = hand_of(cards)
    least = _deadwood(cards)
    return [
        choice
        for choice in disjoint_choices(melds_in(cards))
        if total_pips(loose(cards, choice)) == least
    ]


def best_discards(cards11, forbidden=None):
    """Least deadwood after one discard, and every card that attains it (sorted as text).

    `forbidden` is the card just taken from the pile, which may not be discarded.
    """
    cards = hand_of(cards11)
    if forbidden is not None and forbidden not in cards:
        raise ValueError(f"{forbidden} is not in the hand, so it cannot be forbidden")
    after = {card: _deadwood(cards - {card}) for card in cards if card != forbidden}
    least = min(after.values())
    return least, sorted(card for card in after if after[card] == least)


# ------------------------------------------------------------------ layoffs


def can_lay_off(card, meld):
    """A card may be laid off when the meld with the card added is a meld."""
    return card not in meld and meld | {card} in _MELD_LOOKUP


def defence(spread, defender_cards):
    """Least deadwood of the defender, own melds and layoffs chosen jointly.

    Every legal sequence of layoffs, one card at a time on the growing melds, is
    followed by every arrangement of the cards that stayed.
    """
    spread = frozenset(frozenset(meld) for meld in spread)
    return _defence(spread, hand_of(defender_cards))


@lru_cache(maxsize=200_000)
def _defence(spread, cards):
    best = _deadwood(cards)
    for card in cards:
        for meld in spread:
            if can_lay_off(card, meld):
                grown = spread - {meld} | {meld | {card}}
                best = min(best, _defence(grown, cards - {card}))
    return best


def _ways_to_lay_off(card, spread):
    """What the defender must hold to lay the card off: a list of sets of cards."""
    ways = []
    rank, suit = card
    place = RANKS.index(rank)
    for meld in spread:
        if meld in SETS:
            if len(meld) == 3 and {other[0] for other in meld} == {rank}:
                ways.append(frozenset({card}))
        elif {other[1] for other in meld} == {suit}:
            places = sorted(RANKS.index(other[0]) for other in meld)
            if place > places[-1]:
                chain = range(places[-1] + 1, place + 1)
            else:
                chain = range(place, places[0])
            ways.append(frozenset(RANKS[p] + suit for p in chain))
    return ways


@cache
def _chance_all_held(n_wanted, n_unknown, n_drawn):
    """Chance that n_wanted given cards are all among n_drawn of n_unknown cards."""
    if n_wanted > n_drawn:
        return Fraction(0)
    return Fraction(comb(n_unknown - n_wanted, n_drawn - n_wanted), comb(n_unknown, n_drawn))


def layoff_expectation(spread, unseen, known_defender=()):
    """Expected pips a defender could lay off on the spread, as a Fraction.

    The defender holds all of `known_defender` and a uniformly random choice of
    the rest of its ten cards from the other unseen cards.  A card can be laid off
    when it is held and is the fourth of a set of three, or when it and every card
    between it and a run are held.  The defender's own melds are not considered.
    """
    spread = [frozenset(meld) for meld in spread]
    unseen = hand_of(unseen)
    known = hand_of(known_defender)
    if not known <= unseen:
        raise ValueError("a known card of the defender is not among the unseen cards")
    if unseen & frozenset().union(*spread):
        raise ValueError("a card of the spread is among the unseen cards")
    n_unknown = len(unseen - known)
    n_drawn = HAND_CARDS - len(known)
    if not 0 <= n_drawn <= n_unknown:
        raise ValueError(
            f"{len(unseen)} unseen and {len(known)} known cards cannot make a hand of ten"
        )
    expected = Fraction(0)
    for card in unseen:
        ways = [way for way in _ways_to_lay_off(card, spread) if way <= unseen]
        # P(A or B or ...) = sum of P(one) - sum of P(two at once) + ...
        for n_together in range(1, len(ways) + 1):
            sign = 1 if n_together % 2 else -1
            for together in combinations(ways, n_together):
                wanted = frozenset().union(*together) - known
                chance = _chance_all_held(len(wanted), n_unknown, n_drawn)
                expected += sign * pips(card) * chance
    return expected


def in_order(spread):
    """The melds of a spread as sorted tuples in sorted order, to compare and to print."""
    return sorted(tuple(sorted(meld)) for meld in spread)


def best_spreads(hand10, unseen, known_defender=()):
    """Every least-deadwood arrangement with the smallest expected layoff, sorted."""
    expected = {
        choice: layoff_expectation(choice, unseen, known_defender)
        for choice in arrangements(hand10)
    }
    least = min(expected.values())
    return sorted((choice for choice in expected if expected[choice] == least), key=in_order)


# ----------------------------------------------------------------- the price


class Settlement(NamedTuple):
    """How a hand ended; `defender_deadwood` is what is left after layoffs."""

    kind: str
    knocker_points: int
    defender_points: int
    knocker_deadwood: int
    defender_deadwood: int


def knock_limit(rules, upcard):
    """The greatest deadwood to knock with; `upcard` is the first upcard of the hand."""
    if rules["knock_source"] == "fixed":
        return rules["knock_limit"]
    if upcard[0] == "A":
        return {"one": 1, "gin": 0}[rules["ace_upcard"]]
    return pips(upcard)


def settle(
    knocker,
    defender,
    rules,
    spread=None,
    unseen=None,
    spade_upcard=False,
    known_defender=(),
):
    """Outcome and points of a knock with ten cards, or of a big gin with eleven.

    Without a `spread` the knocker shows the first of `best_spreads`; without
    `unseen` it has seen nothing but its own hand.  Whether the knock was legal
    is the referee's question, not asked here.
    """
    knocker = hand_of(knocker)
    defender = hand_of(defender)
    if len(knocker) not in (HAND_CARDS, HAND_CARDS + 1) or len(defender) != HAND_CARDS:
        raise ValueError(
            f"{len(knocker)} against {len(defender)} cards; a knocker has ten, or eleven "
            "for a big gin, and a defender ten"
        )
    if knocker & defender:
        raise ValueError("knocker and defender hold the same card")
    if spread is None:
        unseen = frozenset(DECK) - knocker if unseen is None else unseen
        spread = best_spreads(knocker, unseen, known_defender)[0]
    spread = frozenset(frozenset(meld) for meld in spread)
    if spread not in disjoint_choices(melds_in(knocker)):
        raise ValueError("the spread is not disjoint melds of the knocker's hand")

    ours = total_pips(loose(knocker, spread))
    lays_off = ours > 0 or rules["layoff_on_gin"]
    theirs = _defence(spread, defender) if lays_off else _deadwood(defender)
    doubled = 2 if rules["spade_doubles"] and spade_upcard else 1

    if len(knocker) == HAND_CARDS + 1:
        if ours > 0 or rules["big_gin_bonus"] is None:
            raise ValueError("these eleven cards are no big gin under these rules")
        kind, points = "big_gin", (rules["big_gin_bonus"] + theirs, 0)
    elif ours == 0:
        kind, points = "gin", (rules["gin_bonus"] + theirs, 0)
    elif theirs > ours:
        kind, points = "knock", (theirs - ours, 0)
    elif theirs == ours and rules["tie"] == "zero":
        kind, points = "knock", (0, 0)
    else:
        kind, points = "undercut", (0, ours - theirs + rules["undercut_bonus"])
    return Settlement(kind, points[0] * doubled, points[1] * doubled, ours, theirs)


# ------------------------------------------------------------------- a game


class Game(NamedTuple):
    """A game of finished hands; players are 0 and 1."""

    dealers: list  # of each hand that was asked about, and of the next one while the game is open
    points: tuple  # hand points, without boxes
    hands_won: tuple
    reacher: int | None  # who reached the target
    over: bool
    totals: tuple  # hand points and boxes
    winner: int | None  # None for a tie, and for a game that is not over
    stakes: int  # what the loser pays the winner


def play_game(results, rules, first_dealer=0):
    """What a game comes to after its hands, in the words of the rules.

    `results` is a list of (winner, points), the winner None where nobody won
    the hand.  Results that follow the end of the game are an error.
    """
    points, hands_won = [0, 0], [0, 0]
    dealers = [first_dealer]
    reacher, over = None, False

    def boxes(player):
        return rules["box_bonus"] * hands_won[player]

    for winner, scored in results:
        if over:
            raise ValueError("the game was over, yet a hand follows")
        if winner is not None:
            points[winner] += scored
            hands_won[winner] += 1
        if rules["target"] is None:
            reacher, over = winner, True
        else:
            at_once = rules["box_timing"] == "at_once"
            towards = [points[p] + (boxes(p) if at_once else 0) for p in (0, 1)]
            reached = [p for p in (0, 1) if towards[p] >= rules["target"]]
            if reached:
                (reacher,), over = reached, True
        if not over:
            dealers.append(next_dealer(dealers[-1], winner, rules))

    totals = [points[p] + boxes(p) for p in (0, 1)]
    winner, stakes = None, 0
    if over and totals[0] != totals[1]:
        winner = totals.index(max(totals))
        loser = 1 - winner
        stakes = totals[winner] - totals[loser] + rules["game_bonus"]
        if hands_won[loser] == 0 and rules["shutout"] == "flat":
            stakes += rules["shutout_bonus"]
        if hands_won[loser] == 0 and rules["shutout"] == "double":
            stakes *= 2
    return Game(
        dealers, tuple(points), tuple(hands_won), reacher, over, tuple(totals), winner, stakes
    )


def next_dealer(dealer, winner, rules):
    """Who deals after a hand that `winner` won (None: nobody)."""
    if winner is None:
        return dealer if rules["wash_dealer"] == "same" else 1 - dealer
    return {"alternate": 1 - dealer, "winner": winner, "loser": 1 - winner}[
        rules["dealer_rotation"]
    ]


# --------------------------------------------------------------- the referee


class Illegal(Exception):
    """The first thing in a record that the rules do not allow, as a sentence."""


def referee(record, rules=None):
    """None when every step and the end are legal and right, else a sentence.

    `rules` is a dict like those of PRESETS; without it the record's own preset.
    """
    try:
        Referee(record, rules).check()
    except Illegal as fault:
        return str(fault)
    return None


class Referee:
    """Replays one hand record step by step; `check` raises Illegal at the first fault."""

    def __init__(self, record, rules=None):
        if rules is None:
            name = record.get("rules")
            if name not in PRESETS:
                raise Illegal(f"rules: {name!r} is not a preset, and no rules were given")
            rules = PRESETS[name]
        self.record = record
        self.rules = rules

    def check(self):
        self.check_deal()
        for index, turn in enumerate(self.record["turns"]):
            try:
                self.check_turn(turn)
            except Illegal as fault:
                raise Illegal(f"turn {index}: {fault}") from None
        try:
            self.check_end(self.record.get("end") or {})
        except Illegal as fault:
            raise Illegal(f"end: {fault}") from None

    # ------------------------------------------------------------- the deal

    def check_deal(self):
        record = self.record
        for field in ("dealer", "deal", "upcard", "stock", "turns"):
            if record.get(field) is None:
                raise Illegal(f"deal: the record has no {field}")
        if record["dealer"] not in (0, 1):
            raise Illegal(f"deal: the dealer is seat {record['dealer']!r}, not 0 or 1")
        sizes = [len(hand) for hand in record["deal"]]
        if sizes != [10, 10]:
            raise Illegal(f"deal: the hands have {sizes} cards, not ten each")
        if len(record["stock"]) != 31:
            raise Illegal(f"deal: the stock has {len(record['stock'])} cards, not 31")
        try:
            hand_of([*record["deal"][0], *record["deal"][1], record["upcard"], *record["stock"]])
        except ValueError as fault:
            raise Illegal(f"deal: {fault}") from None

        self.hands = [set(hand) for hand in record["deal"]]
        self.stock = list(record["stock"])
        self.pile = [record["upcard"]]
        self.limit = knock_limit(self.rules, record["upcard"])
        self.mover = 1 - record["dealer"]
        self.n_passes = 0
        self.n_turns = 0
        self.offering = self.rules["first_upcard"] == "offered"
        self.must_draw = False  # both refused the first upcard
        self.at_wall = False  # only a knock with the upcard is left
        self.over = None  # knock | big_gin | wall | stall
        self.knocker = None

    # ------------------------------------------------------------ the turns

    def check_turn(self, turn):
        if self.over:
            raise Illegal(f"the hand was over ({self.over}), yet a turn follows")
        player = turn.get("player")
        if player != self.mover:
            raise Illegal(f"player {player} acts, but it is player {self.mover}'s turn")
        draw = turn.get("draw")
        if draw == "pass":
            self.check_pass(turn)
            return
        if draw not in ("upcard", "stock"):
            raise Illegal(f"draw is {draw!r}, not pass, upcard or stock")
        self.check_draw(draw, turn.get("card"))
        if self.at_wall and not (turn.get("knock") or turn.get("big_gin")):
            raise Illegal("at the wall the upcard may be taken only to knock")
        self.n_turns += 1
        if turn.get("big_gin"):
            self.check_big_gin(turn)
            return
        self.check_discard(turn.get("discard"), draw, turn["card"])
        if turn.get("knock"):
            self.check_knock()
        elif self.n_turns >= self.rules["stall_turns"]:
            self.over = "stall"
        elif len(self.stock) <= self.rules["stock_floor"]:
            if self.rules["wall"] == "knock_upcard":
                self.at_wall = True
            else:
                self.over = "wall"
        self.mover = 1 - self.mover

    def check_pass(self, turn):
        if not self.offering:
            raise Illegal("a pass is only for the first upcard, once a player")
        for field in ("card", "discard", "knock", "big_gin"):
            if turn.get(field):
                raise Illegal(f"a pass draws and discards nothing, yet it has {field}")
        self.n_passes += 1
        if self.n_passes == 2:
            self.offering = False
            self.must_draw = True
        self.mover = 1 - self.mover

    def check_draw(self, draw, card):
        if draw == "stock":
            if self.offering:
                raise Illegal("the first upcard is on offer: take it or pass, no stock yet")
            if self.at_wall:
                raise Illegal("the stock is down to its floor and may not be drawn from")
            top = self.stock[0]
            if card != top:
                raise Illegal(f"{card} is drawn, but the top of the stock is {top}")
            self.stock.pop(0)
        else:
            if self.must_draw:
                raise Illegal("both refused the first upcard: the non-dealer must draw the stock")
            top = self.pile[-1]
            if card != top:
                raise Illegal(f"{card} is taken, but the upcard is {top}")
            self.pile.pop()
        self.offering = False
        self.must_draw = False
        self.hands[self.mover].add(card)

    def check_discard(self, discard, draw, drawn):
        hand = self.hands[self.mover]
        if discard is None:
            raise Illegal("there is no discard, and no big gin")
        if discard not in hand:
            raise Illegal(f"{discard} is discarded but not held")
        if draw == "upcard" and discard == drawn and not self.rules["may_discard_taken"]:
            raise Illegal(f"{discard} was just taken from the pile and may not be discarded")
        hand.remove(discard)
        self.pile.append(discard)

    def check_knock(self):
        dead = deadwood(self.hands[self.mover])
        if dead > self.limit:
            raise Illegal(f"a knock with deadwood {dead}, but the limit is {self.limit}")
        self.over = "knock"
        self.knocker = self.mover

    def check_big_gin(self, turn):
        if turn.get("discard"):
            raise Illegal("a big gin discards nothing")
        if self.rules["big_gin_bonus"] is None:
            raise Illegal("there is no big gin under these rules")
        dead = deadwood(self.hands[self.mover])
        if dead:
            raise Illegal(f"a big gin with deadwood {dead}")
        self.over = "big_gin"
        self.knocker = self.mover

    # -------------------------------------------------------------- the end

    def check_end(self, end):
        kind = end.get("kind")
        if kind not in ("knock", "undercut", "gin", "big_gin", "wash"):
            raise Illegal(f"the kind is {kind!r}, not knock, undercut, gin, big_gin or wash")
        if self.over in ("knock", "big_gin"):
            self.check_showdown(end)
        else:
            self.check_wash(end)

    def check_wash(self, end):
        if self.over is None and not self.at_wall:
            raise Illegal("the turns stop while the hand is still open")
        if end["kind"] != "wash":
            raise Illegal(f"the kind is {end['kind']}, but should be wash")
        if end.get("points") is not None and list(end["points"]) != [0, 0]:
            raise Illegal(f"a wash scores nothing, not {end['points']}")
        if end.get("knocker") is not None:
            raise Illegal("a wash has no knocker")
        for field in (
            "knocker_melds",
            "knocker_deadwood",
            "defender_melds",
            "layoffs",
            "defender_deadwood",
        ):
            if end.get(field):
                raise Illegal(f"a wash has no {field}")

    def check_showdown(self, end):
        if end["kind"] == "wash":
            raise Illegal(f"player {self.knocker} knocked, so the hand is no wash")
        if end.get("knocker") not in (None, self.knocker):
            raise Illegal(f"the knocker is player {self.knocker}, not {end['knocker']}")
        ours = frozenset(self.hands[self.knocker])
        theirs = frozenset(self.hands[1 - self.knocker])
        lays_off = deadwood(ours) > 0 or self.rules["layoff_on_gin"]
        spreads = self.possible_spreads(end, ours)
        self.check_defender(end, theirs, spreads[0], lays_off)

        # A record that does not tell the melds is right if some spread makes it so.
        spade = self.record["upcard"][1] == "s"
        priced = [settle(ours, theirs, self.rules, s, spade_upcard=spade) for s in spreads]
        left = end.get("defender_deadwood")
        if left is not None:
            least = priced[0].defender_deadwood
            priced = [p for p in priced if p.defender_deadwood == total_pips(left)]
            if not priced:
                raise Illegal(
                    f"the defender's deadwood is {total_pips(left)}, but the least is {least}"
                )
        fitting = [p for p in priced if p.kind == end["kind"]]
        if not fitting:
            raise Illegal(f"the kind is {end['kind']}, but should be {priced[0].kind}")
        if end.get("points") is not None:
            by_seat = [self.by_seat(p) for p in fitting]
            if list(end["points"]) not in by_seat:
                raise Illegal(f"the points are {end['points']}, but should be {by_seat[0]}")

    def by_seat(self, settlement):
        points = [0, 0]
        points[self.knocker] = settlement.knocker_points
        points[1 - self.knocker] = settlement.defender_points
        return points

    def possible_spreads(self, end, hand):
        """The spread in the record's order; all that fit when it tells no melds."""
        melds, left = end.get("knocker_melds"), end.get("knocker_deadwood")
        if left is not None:
            self.check_held(left, hand, "knocker")
        if melds is None:
            spreads = [list(choice) for choice in arrangements(hand)]
        else:
            spreads = [self.check_melds(melds, hand, "knocker")]
            shown = total_pips(loose(hand, spreads[0]))
            least = deadwood(hand)
            if shown != least:
                raise Illegal(
                    f"the knocker's melds leave deadwood {shown}, but {least} is possible"
                )
        if left is not None:
            spreads = [s for s in spreads if loose(hand, s) == frozenset(left)]
            if not spreads:
                raise Illegal("the knocker's deadwood is not the cards outside its melds")
        return spreads

    def check_held(self, cards, hand, who):
        for card in cards:
            if card not in hand:
                raise Illegal(f"the {who} shows {card}, which it does not hold")
        if len(set(cards)) != len(cards):
            raise Illegal(f"the {who} uses a card twice: {' '.join(sorted(cards))}")

    def check_melds(self, melds, hand, who):
        self.check_held([card for meld in melds for card in meld], hand, who)
        for meld in melds:
            if frozenset(meld) not in _MELD_LOOKUP:
                raise Illegal(f"the {who} shows {' '.join(meld)}, which is no meld")
        return [frozenset(meld) for meld in melds]

    def check_defender(self, end, hand, spread, lays_off):
        melds, laid, left = (
            end.get(field) for field in ("defender_melds", "layoffs", "defender_deadwood")
        )
        shown = [card for meld in melds or () for card in meld]
        shown += [card for card, _ in laid or ()]
        shown += left or ()
        self.check_held(shown, hand, "defender")
        if None not in (melds, laid, left) and len(shown) != len(hand):
            raise Illegal("the defender's melds, layoffs and deadwood are not its ten cards")
        self.check_melds(melds or (), hand, "defender")
        if not laid:
            return
        if not lays_off:
            raise Illegal("after gin nothing may be laid off")
        if end.get("knocker_melds") is None:
            raise Illegal("there are layoffs, but no melds of the knocker to lay them on")
        grown = list(spread)
        for card, index in laid:
            if index not in range(len(grown)):
                raise Illegal(f"{card} is laid off on meld {index}, which does not exist")
            if not can_lay_off(card, grown[index]):
                raise Illegal(f"{card} cannot be laid off on {' '.join(sorted(grown[index]))}")
            grown[index] |= {card}
