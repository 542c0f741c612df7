#!/usr/bin/env python3
"""Models of any size: eleven families of systems, each a function from a size to the text of an SMV file.

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


def board(n):
    """A board of n × n cells with six values, indexed by variables. Processes move, one at a time: each
    takes a piece of its row, which steps to the next row if that is free."""
    pieces = range(min(4 * n, 32))
    cells = "\n".join(f"  row{y} : array 0..{n - 1} of {{free, king, rook, pawn, wall, goal}};" for y in range(n))
    starts = [f"  init(row{y}[{x}]) := {['free', 'rook', 'pawn', 'free', 'wall', 'goal'][(3 * y + x) % 6]};" for y in range(n) for x in range(n)]
    moves = "\n".join(
        f"""  next(row{y}[{x}]) := case
    turn mod {n} = {y} & column = {x} & here = free & there in {{rook, pawn}} : there;
    turn mod {n} = {(y + 1) % n} & column = {x} & here in {{rook, pawn}} & there = free : free;
    TRUE : row{y}[{x}];
  esac;"""
        for y in range(n)
        for x in range(n)
    )
    here = "\n".join(f"    turn mod {n} = {y} : row{y}[column];" for y in range(n))
    there = "\n".join(f"    turn mod {n} = {y} : row{(y - 1) % n}[column];" for y in range(n))
    return f"""MODULE main
VAR
  turn : 0..{len(pieces) - 1};
  column : 0..{n - 1};
{cells}
DEFINE
  here := case
{here}
    TRUE : free;
  esac;
  there := case
{there}
    TRUE : free;
  esac;
ASSIGN
{chr(10).join(starts)}
{moves}
CTLSPEC AG (row0[0] != king)
CTLSPEC EF (row{n - 1}[{n - 1}] = pawn)
"""


def tables(n):
    """Nodes with frozen tables of numbers. Each walks through its own, and compares what it finds with a frozen input and with
    what the others hold."""
    nodes = "\n".join(f"  n{i} : node(input, {'n%d.held' % ((i + 1) % n)});" for i in range(n))
    pairs = " & ".join(f"(n{i}.phase = found -> n{i}.held >= input)" for i in range(n))
    return f"""MODULE node(input, other)
FROZENVAR {" ".join(f"t{k} : 0..31;" for k in range(5))}
VAR at : 0..4; held : 0..31; phase : {{seeking, found, lost}};
DEFINE entry := case {" ".join(f"at = {k} : t{k};" for k in range(5))} TRUE : 0; esac;
INVAR {" & ".join(f"t{k} <= t{k + 1}" for k in range(4))}
ASSIGN
  init(at) := 0;
  init(held) := 0;
  init(phase) := seeking;
  next(at) := case
    phase = seeking & at < 4 : at + 1;
    TRUE : at;
  esac;
  next(held) := case
    phase = seeking & entry > held : entry;
    TRUE : held;
  esac;
  next(phase) := case
    phase = seeking & held >= input & held > other : found;
    phase = seeking & at = 4 & held < input : lost;
    TRUE : phase;
  esac;
MODULE main
FROZENVAR input : 0..31;
VAR
{nodes}
INVARSPEC {pairs}
CTLSPEC AG ({" & ".join(f"n{i}.phase != lost" for i in range(n))} | input > 0)
"""


def vehicles(n):
    """Two vehicles with speed and position on a road of 16 n places, under one formula of linear time."""
    end = 16 * n - 1
    return f"""MODULE vehicle(gap)
VAR speed : 0..7; place : 0..{end}; pedal : {{brake, hold, gas}};
ASSIGN
  init(speed) := 0;
  next(speed) := case
    (pedal = brake | gap < speed) & speed > 0 : speed - 1;
    pedal = gas & speed < 7 & gap > speed : speed + 1;
    TRUE : speed;
  esac;
  next(place) := case
    place + speed <= {end} : place + speed;
    TRUE : {end};
  esac;
MODULE main
VAR
  front : vehicle({end});
  back : vehicle(front.place - back.place);
ASSIGN
  init(front.place) := {8 * n};
  init(back.place) := 0;
LTLSPEC G (back.place <= front.place) | F (back.speed > 3 & front.speed = 0)
"""


def controller(n):
    """A controller of n units with many ranges: levels, set points, delays and modes that depend on each other."""
    units = "\n".join(f"  u{i} : unit(demand, {'FALSE' if i == 0 else f'u{i - 1}.mode = fault'});" for i in range(n))
    total = " + ".join(f"u{i}.level" for i in range(n))
    return f"""MODULE unit(demand, upstream)
VAR
  level : 0..40; set : 0..40; delay : 0..9; mode : {{off, start, run, stop, fault}}; valve : 0..4;
ASSIGN
  init(level) := 0; init(set) := 20; init(delay) := 0; init(mode) := off; init(valve) := 0;
  next(set) := case
    demand = more & set <= 35 : set + 5;
    demand = less & set >= 5 : set - 5;
    TRUE : set;
  esac;
  next(delay) := case
    mode in {{start, stop}} & delay < 9 : delay + 1;
    TRUE : 0;
  esac;
  next(mode) := case
    upstream | level > 38 : fault;
    mode = off & demand != none : start;
    mode = start & delay = 9 : run;
    mode = run & demand = none & level >= set : stop;
    mode = stop & delay = 9 : off;
    mode = fault & level = 0 : off;
    TRUE : mode;
  esac;
  next(valve) := case
    mode = run & level < set & valve < 4 : valve + 1;
    mode != run & valve > 0 : valve - 1;
    TRUE : valve;
  esac;
  next(level) := case
    mode = run & level + valve <= 40 : level + valve;
    mode in {{stop, fault, off}} & level > 1 : level - 2;
    level > 0 & valve = 0 : level - 1;
    TRUE : level;
  esac;
MODULE main
VAR
  demand : {{none, less, more}};
{units}
CTLSPEC AG (u0.mode = run -> u0.delay = 0)
CTLSPEC AG (u{n - 1}.mode = fault -> EF u{n - 1}.mode = off)
INVARSPEC {total} <= {40 * n}
"""


# Each with the sizes that a benchmark tries, from small to as large as one of both tools still manages in seconds.
FAMILIES = {
    philosophers: [4, 8, 12, 16, 20],
    ring: [4, 8, 16, 24, 32],
    cache: [2, 4, 6, 8, 10],
    elevator: [4, 8, 12, 16, 20],
    counter: [6, 8, 10, 12, 14],
    queue: [4, 6, 8, 10, 12],
    board: [3, 4, 5, 6, 8],
    tables: [1, 2, 3],
    vehicles: [1, 2, 4, 8],
    controller: [1, 2, 3],
}

# Too hard for decision diagrams; `book/src/benchmarks.md` has five timers.
OTHERS = {timers: [1, 2, 3, 4, 5]}


if __name__ == "__main__":
    families = {family.__name__: family for family in [*FAMILIES, *OTHERS]}
    print(families[sys.argv[1]](int(sys.argv[2])), end="")
