"""`tableref doctor`: what is wrong with this computer and its devices, and how to cure it."""

from __future__ import annotations

import argparse
import getpass
import json
import os
import platform
import re
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tableref import __version__
from tableref.commands import words
from tableref.devices.config import ConfigError, DeviceConfig, load_config
from tableref.devices.link import AUTO, BoardLink, port_named
from tableref.devices.taught import taught
from tableref.doctor import Finding, Host, Level, Result, examine
from tableref.doctor.board import BoardAnswer, ask
from tableref.errors import UserError
from tableref_hardware import BoardFileError, load_board

HIDDEN = "..."
NETWORK = re.compile(
    r"\b(?:\d{1,3}\.){3}\d{1,3}\b"  # IPv4
    r"|\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b"  # hardware addresses
    r"|(?<![\w:])(?=[0-9a-f:]*::|(?:[0-9a-f]+:){7})[0-9a-f:]{3,}(?![\w:])"  # IPv6
    r"|[\w.+-]+@[\w-]+\.[\w.]+",
    re.IGNORECASE,
)
SERIAL_NUMBER = re.compile(r"(?<![0-9A-Za-z])(?=[A-Fa-f]*\d)[0-9A-Fa-f]{8,}(?![0-9A-Za-z])")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which board is asked, and in which form the answer comes."""
    words.board_argument(parser)
    words.port_argument(parser)
    parser.add_argument("--json", action="store_true", help="all of it as one JSON object")
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="write it there for a help request: no names, no games, no addresses",
    )


def run(args: argparse.Namespace, host: Host | None = None) -> int:
    """0 where nothing needs a cure, 1 where something does. `host` stands in in tests."""
    words.writable(args.report)
    config, said = _config()
    host = host or _host(args, config)
    findings: list[Finding] = []
    for finding in (*said, *examine(host, config)):
        findings.append(finding)
        if not args.json:
            print(_text(finding), flush=True)
    record = _record(findings)
    if args.json:
        print(json.dumps(record, ensure_ascii=False, indent=1))
    if args.report:
        _write(args.report, without_secrets(record, secrets(host)))
    return int(any(finding.result.level >= Level.WARNING for finding in findings))


def _host(args: argparse.Namespace, config: DeviceConfig) -> Host:
    try:
        board = load_board(args.board)
    except BoardFileError as error:
        raise UserError(str(error)) from error
    port = port_named(args.port, board)

    def asked() -> BoardAnswer:
        with BoardLink(taught(board, config), port) as link:
            return ask(link, board)

    return Host(ask_board=asked, asks_elsewhere=args.port != AUTO)


def _config() -> tuple[DeviceConfig, list[Finding]]:
    """The configuration; where it cannot be used the usual one, and that as a finding."""
    try:
        return load_config(), []
    except ConfigError as error:
        result = Result(
            Level.ISSUE,
            str(error),
            "Mend that line; until then the usual wiring is looked at.",
        )
        return DeviceConfig(), [Finding("configuration", "configuration", result)]


def _text(finding: Finding) -> str:
    result = finding.result
    level = result.level.name if result.level >= Level.WARNING else result.level.name.lower()
    lines = [f"{level:8} {finding.title:19} {result.what}"]
    if result.cure:
        lines.append(f"{'':28} -> {result.cure}")
    return "\n".join(lines)


def _record(findings: Sequence[Finding]) -> dict[str, Any]:
    return {
        "tableref": __version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "checks": [
            {
                "name": finding.name,
                "level": finding.result.level.name.lower(),
                "what": finding.result.what,
                "cure": finding.result.cure,
            }
            for finding in findings
        ],
    }


def secrets(host: Host) -> tuple[str, ...]:
    """Words that tell who and where: this user, this computer, the home folder; longest first."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a user without a name
        user = ""
    named = (os.path.expanduser("~"), user, socket.gethostname(), str(host.working_folder))
    return tuple(sorted({word for word in named if len(word) > 1}, key=len, reverse=True))


def without_secrets(record: dict[str, Any], hidden: Sequence[str]) -> dict[str, Any]:
    """The same record, in whose findings these words, addresses and serial numbers are `...`."""

    def clean(text: str) -> str:
        for word in hidden:
            text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", HIDDEN, text)
        return SERIAL_NUMBER.sub(HIDDEN, NETWORK.sub(HIDDEN, text))

    checks = [
        {**each, "what": clean(each["what"]), "cure": clean(each["cure"])}
        for each in record["checks"]
    ]
    return {**record, "checks": checks}


def _write(path: Path, record: dict[str, Any]) -> None:
    try:
        path.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: cannot be written ({error.strerror})") from error
    print(f"{path}: written; read it before you send it", file=sys.stderr)
