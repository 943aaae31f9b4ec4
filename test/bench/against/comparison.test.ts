import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { commitOf } from "../../../bench/against/against.js";
import {
  DEFAULT_ROUNDS,
  medianOf,
  parseBenchArguments,
  ratioOf,
  runPairs,
  type Pair,
  type Run,
} from "../../../bench/against/comparison.js";
import { repository } from "../../support/repository.js";

const benches = ["http", "start"];
const comparisons = ["export", "http", "start"];
const parse = (...args: string[]): ReturnType<typeof parseBenchArguments> =>
  parseBenchArguments(args, benches, comparisons);
const cpu = (run: Run): number => run.cpuMs;

function pairOf(before: number, now: number): Pair {
  return { before: { cpuMs: before, ms: 1 }, now: { cpuMs: now, ms: 1 } };
}

describe("the arguments of npm run bench", () => {
  it("name benches, all of them without a name", () => {
    assert.deepEqual(parse(), { kind: "benches", names: benches });
    assert.deepEqual(parse("start"), { kind: "benches", names: ["start"] });
  });

  it("name a state to compare with, comparisons and rounds", () => {
    assert.deepEqual(parse("--against", "main"), {
      kind: "against",
      ref: "main",
      names: comparisons,
      rounds: DEFAULT_ROUNDS,
    });
    assert.deepEqual(parse("--against=v1.0.0", "export", "start", "--rounds", "2"), {
      kind: "against",
      ref: "v1.0.0",
      names: ["export", "start"],
      rounds: 2,
    });
  });

  const invalid: readonly (readonly [string, string[], RegExp])[] = [
    ["an unknown bench", ["sart"], /no bench is named "sart"; there are http, start/],
    ["a bench that is no comparison", ["--against", "a", "x"], /no comparison is named "x"/],
    ["an option that does not exist", ["--agianst", "main"], /--agianst/],
    ["no state", ["--against"], /--against/],
    ["no rounds", ["--against", "main", "--rounds", "0"], /--rounds "0"/],
    ["half a round", ["--against", "main", "--rounds", "1.5"], /--rounds "1.5"/],
    ["too many rounds", ["--against", "main", "--rounds", "101"], /--rounds "101"/],
    ["rounds of a bench", ["http", "--rounds", "3"], /BENCH_ROUNDS/],
  ];
  for (const [what, args, message] of invalid) {
    it(`fail for ${what}`, () => assert.throws(() => parse(...args), message));
  }
});

describe("the commit to compare with", () => {
  it("is what a name of git stands for", () => {
    const head = execFileSync("git", ["rev-parse", "HEAD"], { cwd: repository, encoding: "utf8" });
    assert.equal(commitOf(repository, "HEAD"), head.trim());
  });

  for (const ref of ["no-such-branch", "--all", "", "HEAD:package.json"]) {
    it(`is not ${JSON.stringify(ref)}`, () => {
      assert.throws(
        () => commitOf(repository, ref),
        /git knows no such commit here; pass a branch/,
      );
    });
  }
});

describe("pairs of runs", () => {
  it("alternate in the order before, now, now, before", async () => {
    const order: string[] = [];
    const run = (name: string) => (): Promise<Run> => {
      order.push(name);
      return Promise.resolve({ cpuMs: order.length, ms: order.length });
    };
    const pairs = await runPairs(2, run("before"), run("now"));
    assert.equal(order.join(" "), "before now now before before now now before");
    assert.deepEqual(
      pairs.map(({ before, now }) => [before.ms, now.ms]),
      [
        [1, 2],
        [4, 3],
        [5, 6],
        [8, 7],
      ],
    );
  });

  it("give the median ratio with the lowest and the highest", () => {
    const pairs = [pairOf(10, 20), pairOf(10, 11), pairOf(100, 120)];
    assert.deepEqual(ratioOf(pairs, cpu), { times: 1.2, low: 1.1, high: 2, isClear: false });
  });

  it("are clear when six or more of them lie on one side of 1", () => {
    const isClear = (...now: number[]): boolean =>
      ratioOf(
        now.map((value) => pairOf(10, value)),
        cpu,
      ).isClear;
    assert.equal(isClear(9, 8, 9, 8, 9, 8), true);
    assert.equal(isClear(11, 12, 11, 12, 11, 12), true);
    assert.equal(isClear(9, 8, 9, 8, 9), false);
    assert.equal(isClear(9, 8, 9, 12, 9, 8), false);
    assert.equal(isClear(10, 12, 11, 12, 11, 12), false);
  });

  it("do not see a machine that becomes slower steadily", () => {
    let slowdown = 1;
    const slower = (): Promise<Run> => Promise.resolve({ cpuMs: (slowdown += 0.1), ms: 1 });
    return runPairs(4, slower, slower).then((pairs) => {
      assert.ok(Math.abs(ratioOf(pairs, cpu).times - 1) < 0.02);
    });
  });

  it("give the inverse when the states are exchanged", () => {
    const time = fc.double({ min: 0.01, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(time, time), { minLength: 1 }), (times) => {
        const forth = ratioOf(
          times.map(([a, b]) => pairOf(a, b)),
          cpu,
        );
        const back = ratioOf(
          times.map(([a, b]) => pairOf(b, a)),
          cpu,
        );
        assert.ok(Math.abs(forth.times * back.times - 1) < 1e-9);
        assert.ok(Math.abs(forth.low * back.high - 1) < 1e-9);
        assert.equal(forth.isClear, back.isClear);
      }),
    );
  });

  it("fail instead of dividing by nothing", () => {
    assert.throws(() => ratioOf([], cpu), RangeError);
    assert.throws(() => ratioOf([pairOf(0, 1)], cpu), /too short for a ratio/);
    assert.throws(() => ratioOf([pairOf(1, 0)], cpu), /too short for a ratio/);
    assert.throws(() => medianOf([]), RangeError);
  });
});
