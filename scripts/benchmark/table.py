"""What all measurements have in common: results as tables of numbers, kept as JSON, compared with earlier ones, and plotted."""

import datetime
import json
import pathlib
import re
import subprocess
import sys


def add_options(parser):
    parser.add_argument("--json", metavar="FILE", help="also write all numbers there")
    parser.add_argument("--against", metavar="FILE", help="compare with numbers that --json wrote earlier")
    parser.add_argument("--svg", metavar="FILE", help="also draw the table there")


def finish(arguments, document, plots):
    """Writes, compares and draws a result: `{"bench": …, "rows": {NAME: {WHAT: number}}}`. `plots` are titles and selections from the
    rows: `[(TITLE, {NAME: number})]`."""
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(document, indent=2) + "\n")
    if arguments.svg:
        pathlib.Path(arguments.svg).write_text(svg(plots))
    if arguments.against:
        compare(json.loads(pathlib.Path(arguments.against).read_text()), document, arguments.against)


def compare(before, now, name):
    """Prints what changed by more than a hundredth, as the ratio of now to before."""
    if before.get("bench") != now["bench"]:
        print(f"\n{name} holds no numbers of this measurement")
        return
    print(f"\nagainst {name}: now / then")
    changes = 0
    width = max(map(len, now["rows"]), default=0)
    for row, values in now["rows"].items():
        for what, value in values.items():
            old = before["rows"].get(row, {}).get(what)
            if old is None or old == value or (old and abs(value / old - 1) <= 0.01):
                continue
            changes += 1
            ratio = f"{value / old:8.2f}" if old else "     new"
            print(f"{row:{width}}  {what:28} {ratio}   {old:g} -> {value:g}")
    gone = sorted(set(before["rows"]) - set(now["rows"]))
    if gone:
        print("not measured now:", ", ".join(gone))
    if not changes:
        print("nothing changed by more than a hundredth")


def print_table(corner, heads, rows):
    """Rows of texts under heads; the first column to the left, the others to the right."""
    table = [[corner, *heads], *rows]
    widths = [max(len(str(row[k])) for row in table) for k in range(len(table[0]))]
    for row in table:
        cells = [str(cell).rjust(width) for cell, width in zip(row[1:], widths[1:])]
        print("  ".join([str(row[0]).ljust(widths[0]), *cells]).rstrip(), flush=True)


# ---- Markdown ---------------------------------------------------------------------------------


def add_markdown(parser):
    about = "also write the tables there: each replaces what stands between <!-- bench: NAME --> and <!-- end -->"
    parser.add_argument("--markdown", metavar="FILE", help=about)


def renew(path, parts):
    """Replaces parts of a Markdown file: `{NAME: text}`. True if it has a place for each; else nothing is written, and
    what is missing is said."""
    text = pathlib.Path(path).read_text()
    for name, part in parts.items():
        begin, end = f"<!-- bench: {name} -->\n", "<!-- end -->"
        found = re.compile(re.escape(begin) + "(.*?)" + re.escape(end), re.S)
        if not found.search(text):
            print(f"bench: {path} has no place for its part: {begin.strip()} … {end}", file=sys.stderr)
            return False
        text = found.sub(lambda _: f"{begin}\n{part}\n{end}", text, count=1)
    pathlib.Path(path).write_text(text)
    return True


def markdown(corner, heads, rows):
    """A table as Markdown, with dashes as they are printed."""
    lines = [[corner, *heads], ["---"] * (len(heads) + 1), *rows]
    return "".join("| " + " | ".join("–" if cell == "-" else str(cell) for cell in line) + " |\n" for line in lines)


def made(folder):
    """When the numbers were made, and from which commit the tools in a checkout are."""
    day = datetime.date.today()
    command = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    result = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return f"on {day.day} {day:%B %Y}, with the tools at commit {result.stdout.strip() or 'unknown'}"


# ---- plots ------------------------------------------------------------------------------------

BAR, GAP, LEFT, WIDTH = 16, 6, 170, 420


def svg(plots):
    """Horizontal bars, a panel for each plot, on a scale of its own from zero."""
    height = sum(34 + len(values) * (BAR + GAP) for _, values in plots) + 10
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 90}" height="{height}"'
        ' font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    y = 0
    for title, values in plots:
        out.append(f'<text x="10" y="{y + 22}" font-weight="bold">{escaped(title)}</text>')
        y += 34
        largest = max(values.values(), default=0) or 1
        for name, value in values.items():
            length = WIDTH * value / largest
            out.append(f'<text x="{LEFT - 8}" y="{y + 12}" text-anchor="end">{escaped(name)}</text>')
            out.append(f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="{BAR}" fill="#4878a8"/>')
            out.append(f'<text x="{LEFT + length + 6:.1f}" y="{y + 12}">{value:.3g}</text>')
            y += BAR + GAP
    return "\n".join([*out, "</svg>", ""])


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")
