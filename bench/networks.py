"""Measures workloads whose graphs Tributary builds, in turn with stock TensorFlow, plain and tuned.

    networks.py PEERS --stock COMMAND --tributary COMMAND [--only plain|tuned] [--repeat N] WORKLOAD ..

PEERS is the folder with driver.py and run-tensorflow. COMMAND check WORKLOAD, of stock, compares what both compute; COMMAND
bench WORKLOAD prints a RESULT line for each figure. Called by bench/course.
"""
import argparse, importlib.machinery, importlib.util, os, shlex, subprocess, sys

sys.dont_write_bytecode = True
a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
a.add_argument("peers")
a.add_argument("--stock", required=True)
a.add_argument("--tributary", required=True)
a.add_argument("--only", choices=("plain", "tuned"))
a.add_argument("--repeat", type=int, default=1)
a.add_argument("workload", nargs="+")
o = a.parse_args()

sys.path.insert(0, o.peers)
import driver
loader = importlib.machinery.SourceFileLoader("run_tensorflow", os.path.join(o.peers, "run-tensorflow"))
settings = importlib.util.module_from_spec(importlib.util.spec_from_loader("run_tensorflow", loader))
loader.exec_module(settings)

stock = [] if o.only == "tuned" else [("tensorflow-2.18", settings.QUIET)]
stock += [] if o.only == "plain" else [("tensorflow-2.18-tuned", settings.TUNED)]
for workload in o.workload:
    for _, env in stock:
        with open(driver.LOG, "a") as log:
            subprocess.run(["timeout", "300"] + shlex.split(o.stock) + ["check", workload], check=True, stderr=log,
                           env={**os.environ, **env})
    runs = [(label, shlex.split(o.stock) + ["bench", workload], env) for label, env in stock]
    runs += [("tributary", shlex.split(o.tributary) + ["bench", workload], {})]
    driver.commands(runs, o.repeat)
