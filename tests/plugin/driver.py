"""A driver that answers every case the same way, whatever is asked.

    driver.py HOW [FEATURE ...]

HOW is one of `WAYS`. Its log, if the environment names a file in DRIVER_LOG, gets a line a case.
"""

import json
import os
import sys
import time

HELLO = {
    "op": "hello",
    "protocol": 1,
    "engine": "toy",
    "version": "1",
    "language": "rsp-ql",
    "profile": "rsp-ql",
}


def hang():
    """Never answer."""
    time.sleep(1000)


def die():
    """End with last words."""
    sys.stderr.write("segmentation fault, probably\n")
    sys.stderr.flush()
    os._exit(139)


def error(kind, message):
    """An answer that is an error."""
    return {"error": {"kind": kind, "message": message}}


WAYS = {
    "silent": lambda: {"answers": []},
    "unsupported": lambda: error("unsupported", "not this week"),
    "crash": lambda: error("crashed", "NullPointerException"),
    "rejected": lambda: error("rejected", "what is a WINDOW?"),
    "babble": lambda: {"answer": 42},
    "hang": hang,
    "die": die,
    "dead-hello": die,
    "hello-once": lambda: {"answers": []},
    "unavailable": lambda: {},
}


def main():
    """Be the driver."""
    how, *features = sys.argv[1:]
    for number, line in enumerate(sys.stdin):
        message = json.loads(line)
        if log := os.environ.get("DRIVER_LOG"):
            with open(log, "a") as file:
                file.write(f"{os.getpid()} {message['op']}\n")
        if message["op"] == "hello":
            if how == "dead-hello":
                die()
            if how == "hello-once":
                # Only the first process that asks gets a hello.
                if os.path.exists("greeted"):
                    die()
                open("greeted", "w").close()
            reply = {**HELLO, "features": features or ["select"]}
            if how == "unavailable":
                reply = {"op": "hello", **error("unavailable", "install it with: make it")}
            if how == "no-features":
                reply["features"] = []
        elif how == "hello-once" and number == 3:
            die()
        else:
            reply = {"op": "run", "id": message["id"], **WAYS[how]()}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
