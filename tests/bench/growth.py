#!/usr/bin/env python3
"""Time, peak memory and disk of heaps that grow, in memory and by files: `growth.py BIN SIZE [SIZE...]`.

Makes HPROF files of so many gigabytes with large-hprof.rs (BIN is a folder with large-hprof and the tools, FILE=... takes one that
is there), runs retained sizes, suspects and a path over each, in memory where `heap` bytes an object fit into what is free, and
with the least --memory that is not refused, and adds rows to growth.ndjson. Without sizes it writes the table and growth.svg from
these rows. One run at a time; on a machine that others use times are upper bounds.
"""
import json, os, re, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = os.path.join(HERE, "growth.ndjson")
# Command, and bytes an object that it takes in memory.
TOOLS = {
    "retained": (["heap-sum", "--sort", "retained", "--csv"], 34),
    "suspects": (["heap-suspects"], 54),
    "path": (["heap-path", "--id", "30064954985"], 40),
}
OBJECTS = 5 / 240e-9  # in a gigabyte


def temporary(pid):
    """Bytes of the files without names that a process has open."""
    total = 0
    try:
        for fd in os.listdir(f"/proc/{pid}/fd"):
            path = f"/proc/{pid}/fd/{fd}"
            if "(deleted)" in os.readlink(path):
                total += os.stat(path).st_blocks * 512
    except OSError:
        pass
    return total


def run(command):
    """Status, standard error, wall and processor seconds, peak memory, peak of temporary files."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    disk = 0
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        disk = max(disk, temporary(process.pid))
        time.sleep(0.2)
    seconds = time.monotonic() - start
    processor = usage.ru_utime + usage.ru_stime
    return os.waitstatus_to_exitcode(status), process.stderr.read(), seconds, processor, usage.ru_maxrss * 1024, disk


def measure(folder, size, file):
    free = int(re.search(r"MemAvailable:\s+(\d+)", open("/proc/meminfo").read())[1]) * 1024
    for name, (command, heap) in TOOLS.items():
        if only and name not in only:
            continue
        command = [os.path.join(folder, command[0]), "--no-progress", *command[1:]]
        limits = []
        if size * OBJECTS * heap < free - (8 << 30):
            limits.append(("memory", str(free)))
        limits.append(("files", f"{int(size * OBJECTS * 10.9) >> 20}M"))
        for mode, limit in limits:
            while True:
                code, err, seconds, processor, peak, disk = run([*command, "--memory", limit, file])
                more = re.search(r"takes (\d+)M or more", err)
                if code != 2 or not more:
                    break
                limit = f"{more[1]}M"
            row = dict(tool=name, gigabytes=size, mode=mode, limit=limit, status=code, seconds=round(seconds, 1),
                       processor=round(processor, 1), peak=peak, disk=disk)
            print(json.dumps(row), flush=True)
            with open(ROWS, "a") as rows:
                rows.write(json.dumps(row) + "\n")


def latest():
    found = {}
    for line in open(ROWS):
        row = json.loads(line)
        if row["status"] == 0:
            found[row["tool"], row["gigabytes"], row["mode"]] = row
    return found


def table(found):
    print("| tool | HPROF | objects | in memory: peak, processor | by files: peak, processor | TMPDIR |\n|---|--:|--:|--:|--:|--:|")
    for tool in TOOLS:
        for size in sorted({size for _, size, _ in found}):
            cell = lambda row: f"{row['peak'] / 1e9:.2f} GB, {row['processor']:.0f} s" if row else "–"
            here, files = (found.get((tool, size, mode)) for mode in ("memory", "files"))
            if here or files:
                disk = f"{files['disk'] / 1e9:.1f} GB" if files else "–"
                print(f"| {tool} | {size:g} GB | {size * OBJECTS / 1e6:.0f} million | {cell(here)} | {cell(files)} | {disk} |")


def picture(found):
    """Peak memory by size, both axes logarithmic: solid in memory, dashed by files."""
    from math import log10
    width, height, left, top = 640, 360, 60, 20
    x = lambda size: left + (log10(size) + 0.1) / 1.9 * (width - left - 90)
    y = lambda peak: height - 40 - (log10(peak / 1e9) + 1) / 2.5 * (height - 60)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           '<rect width="100%" height="100%" fill="#fff"/>']
    for size in (1, 2, 5, 10, 20, 50):
        out.append(f'<path d="M{x(size):.0f} {top}V{height - 40}" stroke="#ddd"/>'
                   f'<text x="{x(size):.0f}" y="{height - 24}" text-anchor="middle">{size}</text>')
    for peak in (0.1, 0.3, 1, 3, 10, 30):
        out.append(f'<path d="M{left} {y(peak * 1e9):.0f}H{width - 90}" stroke="#ddd"/>'
                   f'<text x="{left - 6}" y="{y(peak * 1e9) + 4:.0f}" text-anchor="end">{peak:g}</text>')
    out.append(f'<text x="{width // 2}" y="{height - 6}" text-anchor="middle">gigabytes of HPROF</text>'
               f'<text x="8" y="14">peak memory in GB; dashed: by files</text>')
    for tool, color in zip(TOOLS, ("#1b6ca8", "#b8400d", "#2c7a3f")):
        for mode, dash in (("memory", ""), ("files", ' stroke-dasharray="5 4"')):
            points = sorted((row["gigabytes"], row["peak"]) for key, row in found.items() if (key[0], key[2]) == (tool, mode))
            if points:
                line = "L".join(f"{x(size):.0f} {y(peak):.0f}" for size, peak in points)
                dots = "".join(f'<circle cx="{x(size):.0f}" cy="{y(peak):.0f}" r="3"/>' for size, peak in points)
                out.append(f'<g stroke="{color}" fill="{color}"><path d="M{line}" fill="none"{dash}/>{dots}</g>')
                if mode == "files":
                    size, peak = points[-1]
                    out.append(f'<text x="{x(size) + 8:.0f}" y="{y(peak) + 4:.0f}" fill="{color}">{tool}</text>')
    out.append("</svg>")
    open(os.path.join(HERE, "growth.svg"), "w").write("\n".join(out) + "\n")


only = os.environ.get("ONLY", "").split()
if __name__ == "__main__":
    if len(sys.argv) > 2:
        folder = sys.argv[1]
        for size in map(float, sys.argv[2:]):
            file = os.environ.get("FILE")
            if file:
                measure(folder, size, file)
                continue
            file = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"growth-{size:g}.hprof")
            try:
                with open(file, "wb") as out:
                    subprocess.run([os.path.join(folder, "large-hprof"), str(size)], stdout=out, stderr=subprocess.DEVNULL, check=True)
                measure(folder, size, file)
            finally:
                os.unlink(file)
    found = latest()
    table(found)
    picture(found)
