"""`tableref hub`: many tables at one desk, as they tell a broker."""

from __future__ import annotations

import argparse
import contextlib
import os
import threading

from tableref.commands import words
from tableref.errors import UserError
from tableref.hosting.stopping import stopping
from tableref.rulebook.text import LANGUAGES


def arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tableref hub`."""
    parser.add_argument(
        "--broker", required=True, metavar="URL", help="mqtt://[USER@]HOST[:PORT], or mqtts://"
    )
    parser.add_argument(
        "--results",
        default="sqlite:///hub.db",
        metavar="URL",
        help="where results are kept: sqlite:///FILE (default: hub.db here), or"
        " postgresql+psycopg://USER@HOST/NAME",
    )
    parser.add_argument(
        "--port", type=words.whole(0, 65535), default=8090, help="of the pages (default: 8090)"
    )
    parser.add_argument(
        "--signed",
        action="store_true",
        help="believe only tables that have the same TABLEREF_JUDGE_KEY: they sign what they tell",
    )
    parser.add_argument("--lang", default="en", choices=LANGUAGES, help="en, fr or de")


def run(args: argparse.Namespace) -> int:
    """Until it is stopped."""
    try:
        from tableref.hub.desk import Desk
        from tableref.hub.listening import Listener, own_name
        from tableref.hub.pages import HubPages, Judges
        from tableref.hub.results import Results
        from tableref.web.server import Server
    except ImportError as error:
        raise UserError(f"hub: {error.name} is missing: pip install 'tableref[hub]'") from error
    from tableref.hosting.judge import KEY, judge_key
    from tableref.hosting.mqtt import Broker

    key = judge_key(os.environ)
    if args.signed and not key:
        raise UserError(f"hub: --signed needs {KEY}, the same as at the tables")
    broker = Broker.of(args.broker, os.environ, table="hub")
    ended = threading.Event()
    with contextlib.ExitStack() as stack:
        results = Results(args.results)
        stack.callback(results.close)
        believed = key if args.signed else b""
        desk = Desk(results, lambda *wanted: listener.ask(*wanted), believed)
        listener = Listener(broker, desk.heard, own_name())
        judges = Judges(key, listener.rule) if key else None
        pages = HubPages(desk, results, args.lang, lambda: listener.trouble, judges)
        server = Server(pages, args.port)
        stack.callback(desk.close)
        stack.callback(listener.close)
        stack.callback(server.close)
        stopped = stack.enter_context(stopping(ended.set))
        desk.start()
        listener.start()
        server.start()
        print(f"{server.address()}  ({args.broker}, {args.results})", flush=True)
        print(f"code of the desk: {pages.stewards.code}", flush=True)
        ended.wait()
    return 128 + stopped[0] if stopped else 0
