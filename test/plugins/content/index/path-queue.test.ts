import assert from "node:assert/strict";
import { HttpError, KeyedLock } from "#kernel";
import { deferred } from "../../../support/deferred.js";
import { PathQueue, WriteQueue } from "../../../../plugins/content/index/update-queues.js";

describe("paths to re-read", () => {
  const lock = new KeyedLock();
  const inTurn = (work: () => Promise<void>) => lock.run("updates", work);
  let looks: number[];
  let queue: PathQueue;
  const lookAt = async (paths: readonly string[]) => void looks.push(paths.length);
  const pathsOf = (count: number) => Array.from({ length: count }, (_, at) => `p${at}.md`);
  beforeEach(() => {
    looks = [];
    queue = new PathQueue({ inTurn, lookAt });
  });

  it("that arrive while others wait share their turn", async () => {
    await Promise.all([queue.add(["a.md"]), queue.add(["b.md"]), queue.add(["a.md"])]);
    assert.deepEqual(looks, [2]);
  });

  it("let a save take its turn between parts of a large checkout", async () => {
    const read = queue.add(pathsOf(5_000));
    const saved = inTurn(async () => void looks.push(-1));
    await Promise.all([read, saved]);
    assert.equal(looks.indexOf(-1), 1);
    assert.equal(looks.length, 9);
    assert.equal(
      looks.reduce((sum, count) => sum + count, 1),
      5_000,
    );
  });

  it("are all read when the promise resolves, and share it with later ones only while they wait", async () => {
    const first = queue.add(pathsOf(1_200));
    await inTurn(async () => undefined);
    const second = queue.add(["late.md"]);
    await Promise.all([first, second]);
    assert.deepEqual(
      looks.toSorted((a, b) => a - b),
      [1, 200, 500, 500],
    );
  });
});

describe("a write that waits too long", () => {
  it("responds 503 with Retry-After and writes nothing; later writes succeed", async () => {
    const lock = new KeyedLock();
    const gate = deferred<void>();
    const held = lock.run("updates", () => gate.promise);
    const made: string[] = [];
    const work = (name: string) => async () => {
      made.push(name);
      return null;
    };
    const queue = new WriteQueue(
      {
        root: () => "/",
        inTurn: (turn) => lock.run("updates", turn),
        lookAt: async () => undefined,
        publish: async () => undefined,
      },
      1,
    );
    await assert.rejects(queue.add(work("late")), (error: unknown) => {
      assert.ok(error instanceof HttpError);
      assert.deepEqual(
        [error.status, error.code, error.headers?.["Retry-After"]],
        [503, "ERR_CONTENT_BUSY", "2"],
      );
      return true;
    });
    gate.resolve();
    await held;
    await queue.add(work("next"));
    assert.deepEqual(made, ["next"]);
  });
});
