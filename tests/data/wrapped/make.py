#!/usr/bin/env python3
"""Writes snapshots in everything that is found around them: make.py, in this folder."""
import io
import json
import zipfile

FILES = {'v8': '../v8/edge/random-1.heapsnapshot', 'webkit': '../webkit/debugging.json'}


def chunk(text):
    return json.dumps({'method': 'HeapProfiler.addHeapSnapshotChunk', 'params': {'chunk': text}})


def floats(value):
    if isinstance(value, dict):
        return {key: floats(item) for key, item in value.items()}
    if isinstance(value, list):
        return [floats(item) for item in value]
    return float(value) if isinstance(value, int) else value


class Pipe(io.BytesIO):
    """Cannot go back, so lengths are written behind the files."""

    def seekable(self):
        return False

    def tell(self):
        raise io.UnsupportedOperation('a pipe')


def archive(output, text):
    """The bytes of a zip archive of a folder with other files beside a dump."""
    with zipfile.ZipFile(output, 'w') as file:
        for path, data in [
            ('dumps/', b''), ('dumps/README', b'of "{host}"\n'), ('dumps/app.heapsnapshot', text.encode()),
            ('__MACOSX/dumps/._app.heapsnapshot', b'\0\5\x16\7\0\2\0\0Mac OS X'),
        ]:
            packing = zipfile.ZIP_DEFLATED if len(data) > 20 else zipfile.ZIP_STORED
            packing = packing if output.seekable() else zipfile.ZIP_DEFLATED
            file.writestr(zipfile.ZipInfo(path, (2026, 1, 1, 0, 0, 0)), data, packing)
    return output.getvalue()


for name, path in FILES.items():
    # Not all that files hold can be written in UTF-16.
    with open(path, encoding='utf-8', errors='replace') as file:
        text = file.read().rstrip('\n')
    with open(f'{name}-plain.json', 'w', encoding='utf-8') as file:
        file.write(text)
    progress = json.dumps({'method': 'HeapProfiler.reportHeapSnapshotProgress', 'params': {'done': 1, 'total': 1}})
    messages = [progress, *(chunk(text[at:at + 700]) for at in range(0, len(text), 700)), '{"id":1,"result":{}}']
    document = json.loads(text)
    sections = {key: floats(value) for key, value in document.items() if isinstance(value, list)}
    ways = {
        'chunks.ndjson': '\n'.join(messages) + '\n',
        'chunks.json': '[\n ' + ',\n '.join(messages) + '\n]\n',
        'pieces.json': json.dumps([text[:400], text[400:]]),
        'string.json': json.dumps(text),
        'twice.json': json.dumps(json.dumps(text)),
        'result.json': '{"id":7,"result":' + text + '}\n',
        'result-string.json': json.dumps({'id': 7, 'result': {'type': 'string', 'value': text}}),
        'log.txt': 'Debugger listening on "ws://127.0.0.1:9229/"\n{"level":"info"}\n' + text + '\nbye\n',
        'floats.json': json.dumps({**document, **sections}, separators=(',', ':')),
    }
    for way, wrapped in ways.items():
        with open(f'{name}-{way}', 'w', encoding='utf-8', newline='') as file:
            file.write(wrapped)
    for way, code in {'utf16le-bom.json': 'utf-16', 'utf16be.json': 'utf-16-be'}.items():
        with open(f'{name}-{way}', 'wb') as file:
            file.write(text.encode(code))
    for way, output in {'archive.zip': io.BytesIO(), 'streamed.zip': Pipe()}.items():
        with open(f'{name}-{way}', 'wb') as file:
            file.write(archive(output, text))
