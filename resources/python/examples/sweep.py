"""A threshold swept and measured, as a table of pandas.

    python3 sweep.py hall.vantage truth.csv [sweep.png]

With a third argument the table is drawn, too (needs Matplotlib).
Chosen on the first half of the frames (by MODA, among equals by the error on the floor), measured on the second:
what is chosen on frames says nothing about them.
"""

import sys

import pandas
import vantage


def measure(project, frames, truth):
    rows = [
        (frame.index + 1, person.id, person.x_m, person.y_m, person.height_m)
        for frame in project.run(frames)
        for person in frame.people or []
        if person.id
    ]
    wanted = [row for row in truth if frames.start < row[0] <= frames.stop]
    return vantage.evaluate(wanted, rows)


def read_truth(path):
    table = pandas.read_csv(path, header=None, usecols=[0, 1, 7, 8]).to_numpy()
    return table.tolist()


def draw(table, best, out):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (scores, error) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    table[["moda", "idf1"]].plot(ax=scores, marker="o", grid=True, ylim=(0, 1.02))
    table["floor_error_m"].plot(ax=error, marker="o", grid=True, ylabel="error on the floor, m", ylim=(0, None))
    for axes in (scores, error):
        axes.axvline(best, color="grey", linestyle=":")
    figure.savefig(out, dpi=100)


def main(path, truth_path, out=None):
    project, truth = vantage.Project(path), read_truth(truth_path)
    count = len(project.run())
    tuning, testing = range(count // 2), range(count // 2, count)
    results = []
    for threshold in (0.5, 0.6, 0.7, 0.8, 0.9):
        project.parameters["carving.threshold"] = threshold
        figures = measure(project, tuning, truth)
        results.append({"threshold": threshold, **{name: figures[name] for name in ("moda", "idf1", "floor_error_m")}})
    table = pandas.DataFrame(results).set_index("threshold")
    print(table.round(3).to_string())
    best = table.sort_values(["moda", "floor_error_m"], ascending=[False, True]).index[0]
    if out:
        draw(table, best, out)
    project.parameters["carving.threshold"] = best
    print("best: %s; on the frames that it was not chosen on: MODA %.3f" % (best, measure(project, testing, truth)["moda"]))


if __name__ == "__main__":
    main(*sys.argv[1:4])
