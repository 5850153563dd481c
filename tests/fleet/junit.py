"""Reports of a gate, read by the parsers of Python: names that XML and JSON cannot hold as they are. usage: junit.py FOLDER"""

import json
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

folder = pathlib.Path(sys.argv[1])
names = ['a]]><b \x1b[31m,::"&%\n', "known", "\ufffe\uffff\x00 tab\t", "é ☃ 𝄞", "x'y", "<![CDATA[ ]]>"]
head = ['{"type":"metadata","key":"version_major","value":"1"}', '{"type":"metadata","key":"heap.identifier","value":"v8"}']
text = [json.dumps({"type": "string", "stringid": i, "data": name}, separators=(",", ":")) for i, name in enumerate(names)]
node = ['{"type":"node","subtype":4,"identifier":%d,"heap":{"size":8,"class":%d}}' % (2 * i + 1, i) for i in range(len(names))]
(folder / "before.ndjson").write_text("\n".join(head) + "\n")
(folder / "after.ndjson").write_text("\n".join(head + text + node) + "\n")
(folder / "known.txt").write_text("class = known # because <b>\n")
reports = [f"--report={name}" for name in ["junit=gate.xml", "gitlab=gate.json", "github=gate.txt"]]
gate = ["--fail-on", "count_delta > 0", "--baseline", "known.txt"]
run = subprocess.run(["heap-diff", "before.ndjson", "after.ndjson", *gate, *reports], cwd=folder, capture_output=True)
assert run.returncode == 1, run
suite = xml.etree.ElementTree.parse(folder / "gate.xml").getroot().find("testsuite")
found = [case.attrib["name"] for case in suite.findall("testcase")]
# What XML can hold at all comes back.
possible = sorted(name for name in names if not set(name) & set("\x1b\x00\ufffe\uffff"))
assert len(found) == len(names) and set(possible) <= set(found), found
counts = [suite.attrib[key] for key in ["tests", "failures", "skipped"]]
assert counts == ["6", "5", "1"] == [str(len(list(suite.iter(tag)))) for tag in ["testcase", "failure", "skipped"]], counts
issues = json.loads((folder / "gate.json").read_text())
assert sorted(issue["description"].split(": count_delta")[0] for issue in issues) == sorted(names), issues
assert len({issue["fingerprint"] for issue in issues}) == len(names)
commands = (folder / "gate.txt").read_text().split("\n")
assert [line.split(" title=")[0] for line in commands].count("::error") == 5 and len(commands) == 7, commands
print("ok: reports of a gate are XML and JSON, whatever the names")
