#!/usr/bin/env python3
"""Models of any size: seven families of systems, each a function from a size to the text of an SMV file.

    benches/peer/families.py NAME SIZE

prints a model of the family with that name.
"""

import sys


def philosophers(n):
    """Dining philosophers who take the left fork first, one moving at a time; they can deadlock."""
    forks = [f"fork{i} : {{free, by_left, by_right}};" for i in range(n)]
    seats = [f"p{i} : philosopher(turn = {i}, fork{i}, fork{(i + 1) % n});" for i in range(n)]
    moves = [
        f"""  next(fork{i}) := case
    p{i}.takes_left : by_left;
    p{(i - 1) % n}.takes_right : by_right;
    p{i}.drops & fork{i} = by_left | p{(i - 1) % n}.drops & fork{i} = by_right : free;
    TRUE : fork{i};
  esac;"""
        for i in range(n)
    ]
    starts = [f"  init(fork{i}) := free;" for i in range(n)]
    together = " | ".join(f"p{i}.state = eating & p{(i + 1) % n}.state = eating" for i in range(n))
    stuck = " & ".join(f"p{i}.state = one" for i in range(n))
    return f"""MODULE philosopher(moves, left, right)
VAR state : {{thinking, hungry, one, eating}};
DEFINE
  takes_left := moves & state = hungry & left = free;
  takes_right := moves & state = one & right = free;
  drops := moves & state = eating;
ASSIGN
  init(state) := thinking;
  next(state) := case
    moves & state = thinking : {{thinking, hungry}};
    takes_left : one;
    takes_right : eating;
    drops : thinking;
    TRUE : state;
  esac;
MODULE main
VAR turn : 0..{n - 1};
  {" ".join(forks)}
  {" ".join(seats)}
ASSIGN
{chr(10).join(starts)}
{chr(10).join(moves)}
CTLSPEC AG !({together})
CTLSPEC AG (p0.state = hungry -> EF p0.state = eating)
CTLSPEC EF ({stuck})
CTLSPEC AG (p{n - 1}.state = eating -> AF p{n - 1}.state = thinking)
"""


def ring(n):
    """A token goes round; a station that wants it may hold it for as long as it likes, but not forever."""
    stations = [f"s{i} : station(token = {i});" for i in range(n)]
    passes = [f"    token = {i} & !s{i}.keeps : {(i + 1) % n};" for i in range(n)]
    two = " | ".join(f"s{i}.state = critical & s{j}.state = critical" for i in range(n) for j in range(i))
    live = "\n".join(f"CTLSPEC AG (s{i}.state = trying -> AF s{i}.state = critical)" for i in range(min(n, 4)))
    return f"""MODULE station(has)
VAR state : {{idle, trying, critical}};
DEFINE keeps := state = trying | state = critical;
ASSIGN
  init(state) := idle;
  next(state) := case
    state = idle : {{idle, trying}};
    state = trying & has : critical;
    state = critical : {{critical, idle}};
    TRUE : state;
  esac;
FAIRNESS state != critical
MODULE main
VAR token : 0..{n - 1};
  {" ".join(stations)}
ASSIGN
  init(token) := 0;
  next(token) := case
{chr(10).join(passes)}
    TRUE : token;
  esac;
CTLSPEC AG !({two})
{live}
"""


def cache(n):
    """Caches on a bus with the states of MSI, a copy of the value in each, and a memory."""
    caches = [f"c{i} : cache(actor = {i}, request, bus, value);" for i in range(n)]
    dirty = " | ".join(f"c{i}.state = modified" for i in range(n))
    value = "\n".join(f"    c{i}.state = modified : c{i}.data;" for i in range(n))
    pairs = " & ".join(f"!(c{i}.state = modified & c{j}.state != invalid)" for i in range(n) for j in range(n) if i != j)
    same = " & ".join(f"(c{i}.state = shared & c{(i + 1) % n}.state = shared -> c{i}.data = c{(i + 1) % n}.data)" for i in range(n))
    return f"""MODULE cache(acts, request, bus, value)
VAR state : {{invalid, shared, modified}}; data : 0..3; written : 0..3;
ASSIGN
  init(state) := invalid;
  init(data) := 0;
  next(state) := case
    acts & request = read & state = invalid : shared;
    acts & request = write : modified;
    acts & request = evict : invalid;
    !acts & request = write : invalid;
    !acts & request = read & bus & state = modified : shared;
    TRUE : state;
  esac;
  next(data) := case
    acts & request = read & state = invalid : value;
    acts & request = write : written;
    TRUE : data;
  esac;
MODULE main
VAR actor : 0..{n - 1}; request : {{read, write, evict}}; memory : 0..3;
  {" ".join(caches)}
DEFINE
  bus := {dirty};
  value := case
{value}
    TRUE : memory;
  esac;
ASSIGN
  init(memory) := 0;
  next(memory) := case
    bus & request != write : value;
    TRUE : memory;
  esac;
INVARSPEC {pairs}
INVARSPEC {same}
CTLSPEC AG (c0.state = invalid -> EF c0.state = modified)
CTLSPEC AG EF (memory = 3)
"""


def elevator(n):
    """A lift with a door, a direction, and a button on each floor that stays lit until the lift has served it."""
    buttons = [f"b{i} : boolean;" for i in range(n)]
    lights = "\n".join(
        f"""  init(b{i}) := FALSE;
  next(b{i}) := case
    floor = {i} & door = open : FALSE;
    b{i} : TRUE;
    TRUE : {{FALSE, TRUE}};
  esac;"""
        for i in range(n)
    )
    here = " | ".join(f"floor = {i} & b{i}" for i in range(n))
    above = " | ".join(f"floor < {i} & b{i}" for i in range(1, n))
    below = " | ".join(f"floor > {i} & b{i}" for i in range(n - 1))
    served = "\n".join(f"CTLSPEC AG (b{i} -> AF (floor = {i} & door = open))" for i in (0, n // 2, n - 1))
    return f"""MODULE main
VAR floor : 0..{n - 1}; door : {{open, closed}}; direction : {{up, down}};
  {" ".join(buttons)}
DEFINE
  here := {here};
  above := {above};
  below := {below};
ASSIGN
  init(floor) := 0;
  init(door) := closed;
  init(direction) := up;
{lights}
  next(door) := case
    door = closed & here : open;
    TRUE : closed;
  esac;
  next(direction) := case
    direction = up & !above & below : down;
    direction = down & !below & above : up;
    TRUE : direction;
  esac;
  next(floor) := case
    door = open | here : floor;
    direction = up & above & floor < {n - 1} : floor + 1;
    direction = down & below & floor > 0 : floor - 1;
    TRUE : floor;
  esac;
{served}
CTLSPEC AG (door = open -> AX door = closed)
"""


def counter(n):
    """A counter of n bits, each of which waits for the carry of the one below: as deep as it has states."""
    bits = ["b0 : bit(TRUE);", *(f"b{i} : bit(b{i - 1}.carry);" for i in range(1, n))]
    return f"""MODULE bit(carry_in)
VAR value : boolean;
ASSIGN
  init(value) := FALSE;
  next(value) := value xor carry_in;
DEFINE carry := value & carry_in;
MODULE main
VAR
  {" ".join(bits)}
CTLSPEC AG AF b{n - 1}.carry
CTLSPEC AG EF !b0.value
INVARSPEC b{n - 1}.carry -> b0.value
"""


def queue(n):
    """A queue of n cells of two bits, filled at the end and emptied at the front."""
    cells = [f"q{i} : 0..3;" for i in range(n)]
    moves = "\n".join(
        f"""  init(q{i}) := 0;
  next(q{i}) := case
    pops & pushes & size = {i + 1} | !pops & pushes & size = {i} : item;
    pops & size > {i + 1} : {f"q{i + 1}" if i + 1 < n else 0};
    pops : 0;
    TRUE : q{i};
  esac;"""
        for i in range(n)
    )
    empty = " & ".join(f"(size <= {i} -> q{i} = 0)" for i in range(n))
    return f"""MODULE main
VAR size : 0..{n}; push : boolean; pop : boolean; item : 0..3;
  {" ".join(cells)}
DEFINE
  pops := pop & size > 0;
  pushes := push & (size < {n} | pops);
ASSIGN
  init(size) := 0;
  next(size) := case
    pops & !pushes : size - 1;
    pushes & !pops & size < {n} : size + 1;
    TRUE : size;
  esac;
{moves}
INVARSPEC {empty}
CTLSPEC AG (size = {n} & q{n - 1} = 3 -> EF q0 = 3)
CTLSPEC AG EF size = {n}
CTLSPEC AG (size = 0 -> EX size = 1)
"""


def timers(n):
    """A controller with n timers that remember when they were started, and a common clock: as real-time controllers, such as
    a mechanical ventilator, are specified. The clock is read every now and then, so it jumps."""
    periods = [20 + 40 * i for i in range(n)]
    return f"""MODULE timer(time, go, period)
VAR start : 0..600; phase : {{idle, running, expired}};
DEFINE over := phase = running & time >= start + period;
ASSIGN
  init(start) := 0;
  init(phase) := idle;
  next(start) := case
    phase = idle & go : time;
    TRUE : start;
  esac;
  next(phase) := case
    phase = idle & go : running;
    over : expired;
    phase = expired & !go : idle;
    TRUE : phase;
  esac;
MODULE main
VAR
  time : 0..600;
  {" ".join(f"go{i} : boolean;" for i in range(n))}
  {" ".join(f"t{i} : timer(time, {f't{i - 1}.phase = expired | go{i}' if i else 'go0'}, {period});" for i, period in enumerate(periods))}
  alarm : {{off, warning, on}};
ASSIGN
  init(time) := 0;
  next(time) := case
    time <= 590 : {{time, time + 1, time + 10}};
    TRUE : time;
  esac;
  init(alarm) := off;
  next(alarm) := case
    {" & ".join(f"t{i}.phase = expired" for i in range(n))} : on;
    t0.phase = running & t{n - 1}.phase = running & t{n - 1}.start > t0.start + 5 : warning;
    alarm = on : on;
    TRUE : off;
  esac;
INVARSPEC {" & ".join(f"t{i}.start <= time" for i in range(n))}
INVARSPEC alarm = on -> time >= {max(periods)}
"""


# Each with the sizes that a benchmark tries, from small to as large as one of both tools still manages in seconds.
FAMILIES = {
    philosophers: [4, 8, 12, 16, 20],
    ring: [4, 8, 16, 24, 32],
    cache: [2, 4, 6, 8, 10],
    elevator: [4, 8, 12, 16, 20],
    counter: [6, 8, 10, 12, 14],
    queue: [4, 6, 8, 10, 12],
}

# Too hard for decision diagrams; `book/src/benchmarks.md` has five timers.
OTHERS = {timers: [1, 2, 3, 4, 5]}


if __name__ == "__main__":
    families = {family.__name__: family for family in [*FAMILIES, *OTHERS]}
    print(families[sys.argv[1]](int(sys.argv[2])), end="")
