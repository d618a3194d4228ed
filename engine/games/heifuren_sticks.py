"""What minus points cost in 黑夫人: matchsticks paid into the pot and taken out of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.families import totals
from engine.verdict import Reason, reason


@dataclass(frozen=True)
class Settlement:
    """What a deal moves: matchsticks paid and received by seat, the pot that stays, and why."""

    pays: tuple[int, ...]
    receives: tuple[int, ...]
    pot: int
    sticks: tuple[int, ...]
    reasons: tuple[Reason, ...]

    @property
    def over(self) -> bool:
        """Whether somebody has none left (heifuren-13)."""
        return 0 in self.sticks


def settle(taken: Sequence[int], pot: int, sticks: Sequence[int], par: int) -> Settlement:
    """What minus points by seat cost and bring, with `pot` lying from before; up to
    `par` points cost nothing (heifuren-10 to -12)."""
    over = tuple(max(0, points - par) for points in taken)
    pays = tuple(map(min, over, sticks))
    pot += sum(pays)
    clean = [seat for seat, points in enumerate(taken) if points == 0]
    share, stays = divmod(pot, len(clean)) if clean else (0, pot)
    receives = tuple(share * (points == 0) for points in taken)
    return Settlement(
        pays,
        receives,
        stays,
        tuple(s - p + r for s, p, r in zip(sticks, pays, receives, strict=True)),
        (
            *_why_pays(taken, over, pays, par),
            *_why_receives(clean, pot, share, stays),
        ),
    )


def _why_pays(
    taken: Sequence[int], over: Sequence[int], pays: Sequence[int], par: int
) -> Iterable[Reason]:
    if not any(over):
        yield reason("heifuren-10", "par.nobody", par=par)
    for seat, points in enumerate(taken):
        if over[seat]:
            yield reason(
                "heifuren-10", "par.over", seat=seat, points=points, par=par, over=over[seat]
            )
        if pays[seat] < over[seat]:
            yield reason("heifuren-12", "par.short", seat=seat, pays=pays[seat])


def _why_receives(clean: Sequence[int], pot: int, share: int, stays: int) -> Iterable[Reason]:
    if pot == 0:
        return
    if not clean:
        yield reason("heifuren-12", "pot.nobody", pot=pot)
        return
    key = "pot.one" if len(clean) == 1 else "pot.shared"
    yield reason("heifuren-11", key, seats=list(clean), pot=pot, share=share)
    if stays:
        yield reason("heifuren-11", "pot.rest", rest=stays)


def why_over(sticks: Sequence[int]) -> Iterable[Reason]:
    """Why the match is over, if it is (heifuren-13)."""
    out = [seat for seat, left in enumerate(sticks) if left == 0]
    if out:
        best, most = list(totals.best(sticks)), max(sticks)
        yield reason("heifuren-13", "match.won", out=out, seats=best, sticks=most)
