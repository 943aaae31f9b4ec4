import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { HttpError } from "#kernel";
import { Peer, type ArrivedCall } from "../../../plugins/workers/peer.js";

describe("calls between two processes", () => {
  /** Two connected ends; `messages` counts what each of them has sent. */
  function connect(answer: (call: ArrivedCall) => unknown) {
    const messages = { near: 0, far: 0 };
    const near = new Peer(
      {
        send: (message) => {
          messages.near += 1;
          far.take(JSON.parse(JSON.stringify(message)));
        },
      },
      () => null,
    );
    const far: Peer = new Peer(
      {
        send: (message) => {
          messages.far += 1;
          near.take(JSON.parse(JSON.stringify(message)));
        },
      },
      answer,
    );
    return { near, far, messages };
  }

  it("travel as one message when they are made in one turn, in order, and so do the replies", async () => {
    const arrived: unknown[] = [];
    const { near, messages } = connect(({ input }) => {
      arrived.push(input);
      return Number(input) * 2;
    });
    const inputs = [1, 2, 3, 4, 5];
    const replies = await Promise.all(inputs.map((input) => near.call("double", input)));
    assert.deepEqual(replies, [2, 4, 6, 8, 10]);
    assert.deepEqual(arrived, inputs);
    assert.deepEqual(messages, { near: 1, far: 1 });
    assert.equal(await near.call("double", 6), 12);
    assert.deepEqual(messages, { near: 2, far: 2 });
  });

  it("fail one by one", async () => {
    const { near } = connect(({ name }) => {
      if (name === "bad") throw new HttpError(409, "taken", { code: "ERR_TAKEN" });
      return "fine";
    });
    const [good, bad] = await Promise.allSettled([near.call("good", 1), near.call("bad", 1)]);
    assert.deepEqual(good, { status: "fulfilled", value: "fine" });
    assert.ok(bad.status === "rejected" && bad.reason instanceof HttpError);
    assert.equal(bad.reason.status, 409);
  });

  it("fail together with 503 when their message cannot be sent", async () => {
    const peer = new Peer({ send: (_message, failed) => failed() }, () => null);
    const calls = await Promise.allSettled([peer.call("one", 1), peer.call("two", 2)]);
    for (const call of calls) {
      assert.ok(call.status === "rejected" && call.reason instanceof HttpError);
      assert.equal(call.reason.code, "ERR_WORKERS_SILENT");
    }
  });

  it("are ignored when malformed, without losing those beside them", async () => {
    const arrived: string[] = [];
    const { far } = connect(({ name }) => arrived.push(name));
    const packets = [null, 5, { call: 7 }, { reply: "x" }, { call: "good", seq: 1, to: null }];
    for (const message of [null, "text", { packets: 3 }, { packets }]) far.take(message);
    await turn();
    assert.deepEqual(arrived, ["good"]);
  });
});
