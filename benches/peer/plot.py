"""Draws curves of time against size as SVG, one panel for each family; time on a logarithmic scale."""

import math

WIDTH, HEIGHT, MARGIN, PER_ROW = 300, 200, 40, 3
COLOURS = {"NuSMV": "#b35806", "Specwright": "#2166ac"}


def growth(panels, unit):
    n_rows = math.ceil(len(panels) / PER_ROW)
    n_columns = min(len(panels), PER_ROW)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {n_columns * WIDTH} {n_rows * HEIGHT + 30}" '
        'font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for index, (name, curves) in enumerate(panels.items()):
        x, y = index % PER_ROW * WIDTH, index // PER_ROW * HEIGHT
        parts.append(f'<g transform="translate({x},{y})">{panel(name, curves, unit)}</g>')
    for index, (tool, colour) in enumerate(COLOURS.items()):
        x, y = MARGIN + 120 * index, n_rows * HEIGHT + 15
        parts.append(f'<circle cx="{x}" cy="{y}" r="4" fill="{colour}"/><text x="{x + 8}" y="{y + 4}">{tool}</text>')
    parts.append("</svg>\n")
    return "\n".join(parts)


def panel(name, curves, unit):
    points = [point for curve in curves.values() for point in curve]
    sizes = [size for size, _ in points]
    least, most = min(sizes), max(max(sizes), min(sizes) + 1)
    low, high = -2, 2  # from a hundredth of a second to a hundred seconds

    def place(size, time):
        exponent = min(max(math.log10(max(time, 10**low)), low), high)
        x = MARGIN + (size - least) / (most - least) * (WIDTH - 2 * MARGIN)
        y = HEIGHT - MARGIN - (exponent - low) / (high - low) * (HEIGHT - 2 * MARGIN)
        return x, y

    parts = [f'<text x="{MARGIN}" y="{MARGIN - 14}" font-weight="bold">{name}</text>']
    for exponent in range(low, high + 1):
        _, y = place(least, 10**exponent)
        parts.append(f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{MARGIN - 4}" y="{y + 4:.1f}" text-anchor="end">{10.0**exponent:g} s</text>')
    last = -WIDTH
    for size in sorted(set(sizes)):
        x, _ = place(size, 1)
        if x - last < 8 * len(f"{size:,}"):
            continue  # no room for its number
        last = x
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - MARGIN + 14}" text-anchor="middle">{size:,}</text>')
    parts.append(f'<text x="{WIDTH - MARGIN}" y="{HEIGHT - MARGIN + 28}" text-anchor="end" fill="#666">{unit}</text>')
    for tool, curve in curves.items():
        places = [place(size, time) for size, time in curve]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{COLOURS[tool]}" stroke-width="1.5"/>')
        parts.extend(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{COLOURS[tool]}"/>' for x, y in places)
    return "".join(parts)
