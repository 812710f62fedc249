"""Measures Tributary in turn with stock TensorFlow, plain and tuned, and prints one JSON object per line.

    course.py PEERS --ours LABEL=COMMAND .. --stock COMMAND [--cluster-only LABEL ..] [--mixed LABEL=COMMAND=JOB ..]
              [--on-hosts COMMAND] [--only plain|tuned] [--repeat N] WORKLOAD ..

PEERS is the folder with driver.py and run-tensorflow, which have workloads of their own. For the others Tributary builds the
graphs: COMMAND check WORKLOAD, of --stock, compares what both compute, and COMMAND bench WORKLOAD prints a RESULT line for each
figure; those that compare Tributary with itself have no stock side. In all-reduce every rank is a process of ours; peers/run-allreduce
measures MPI and Gloo. A label after --cluster-only is measured on clusters only, and so is one after --mixed, whose tasks of that job are tuned
stock ones. --on-hosts puts a command in front of every task, which moves
it to its host; then only clusters are measured. Called by bench/course.
"""
import argparse, importlib.machinery, importlib.util, os, shlex, subprocess, sys

OF_PEERS = "null-step dense-step sparse-step mlp cnn op-overhead start-up fan-out large-graph".split()
OURS_ONLY = "data-mnist data-memory".split()

sys.dont_write_bytecode = True
a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
a.add_argument("peers")
a.add_argument("--ours", action="append", required=True)
a.add_argument("--stock", required=True)
a.add_argument("--cluster-only", action="append", default=[])
a.add_argument("--mixed", action="append", default=[])
a.add_argument("--on-hosts", default="")
a.add_argument("--only", choices=("plain", "tuned"))
a.add_argument("--repeat", type=int, default=1)
a.add_argument("workload", nargs="+")
o = a.parse_args()

sys.path.insert(0, o.peers)
import driver
loader = importlib.machinery.SourceFileLoader("run_tensorflow", os.path.join(o.peers, "run-tensorflow"))
settings = importlib.util.module_from_spec(importlib.util.spec_from_loader("run_tensorflow", loader))
loader.exec_module(settings)



def mixed(of_stock, of_ours, stock_job):
    """A command that is one of the two, by the job that the driver starts it for; its client is a worker's."""
    ps, worker = (of_stock, of_ours) if stock_job == "ps" else (of_ours, of_stock)
    return ["sh", "-c", 'case " $* " in *" --job ps "*) exec %s "$@";; *) exec %s "$@";; esac' % (shlex.join(ps), shlex.join(worker)), "sh"]


ours = [(label, shlex.split(command)) for label, command in (x.split("=", 1) for x in o.ours)]
stock = [] if o.only == "tuned" else [("tensorflow-2.18", settings.QUIET)]
stock += [] if o.only == "plain" else [("tensorflow-2.18-tuned", settings.TUNED)]

suite = [w for w in o.workload if w in OF_PEERS]
if suite:
    run = driver.run

    def where_it_applies(peers, name, workers=0, **options):
        if workers or not o.on_hosts:
            run([p for p in peers if workers or p[0] not in o.cluster_only], name, workers=workers, **options)

    driver.run = where_it_applies
    on_host = shlex.split(o.on_hosts)
    command = settings.build()
    peers = [(label, command, env) for label, env in stock] + [(label, own, {}) for label, own in ours]
    for label, own, job in (x.rsplit("=", 1)[0].split("=", 1) + x.rsplit("=", 1)[1:] for x in o.mixed):
        peers.append((label, mixed(command, shlex.split(own), job), settings.TUNED))
        o.cluster_only.append(label)
    driver.suite([(label, on_host + task, env) for label, task, env in peers], suite, o.repeat)

if "all-reduce" in o.workload:
    for ranks in 2, 4:
        driver.run([(label, shlex.split(o.on_hosts) + own, {}) for label, own in ours], "all-reduce",
                   workers=ranks, clients=ranks, repeat=o.repeat)

for workload in [w for w in o.workload if w not in OF_PEERS and w != "all-reduce"]:
    command = shlex.split(o.stock)
    beside = [] if workload in OURS_ONLY else stock
    for _, env in beside:
        with open(driver.LOG, "a") as log:
            subprocess.run(["timeout", "300"] + command + ["check", workload], check=True, stderr=log,
                           env={**os.environ, **env})
    runs = [(label, command + ["bench", workload], env) for label, env in beside]
    runs += [(label, command + ["bench", workload], {}) for label, command in ours if label not in o.cluster_only]
    driver.commands(runs, o.repeat)
