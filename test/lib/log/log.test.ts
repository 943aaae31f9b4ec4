import assert from "node:assert/strict";
import { createLog } from "../../../lib/log/log.js";

async function lines(write: (log: Awaited<ReturnType<typeof createLog>>) => void) {
  const out: string[] = [];
  const log = await createLog({
    format: "json",
    level: "info",
    stream: { write: (text) => void out.push(text) },
  });
  write(log);
  return out;
}

describe("createLog", () => {
  it("writes one JSON line per event with level, time, event and fields", async () => {
    const [line = ""] = await lines((log) => log.child({ plugin: "p" }).warn("a.b", { n: 1 }));
    const { level, event, plugin, n, time } = JSON.parse(line) as Record<string, unknown>;
    assert.deepEqual([level, event, plugin, n], ["warn", "a.b", "p", 1]);
    assert.match(String(time), /^\d{4}-\d\d-\d\dT/);
  });

  it("writes nothing below its level", async () => {
    assert.deepEqual(await lines((log) => log.debug("x")), []);
  });

  for (const hostile of ['/a\n{"level":"error"}', "\u001b[2Jx", "a\u2028b", "a\u0000b"]) {
    it(`writes ${JSON.stringify(hostile)} on one line, without control characters`, async () => {
      const out = await lines((log) =>
        log.info(hostile, { path: hostile, nested: { list: [hostile] } }),
      );
      assert.equal(out.length, 1);
      assert.equal(out[0]?.trimEnd().split("\n").length, 1);
      const parsed = JSON.parse(out[0] ?? "") as { path: string; nested: { list: string[] } };
      // eslint-disable-next-line no-control-regex -- none of them may be left
      assert.doesNotMatch(parsed.path + parsed.nested.list[0], /[\u0000-\u001f\u2028]/);
    });
  }

  it("truncates long strings", async () => {
    const [line = ""] = await lines((log) => log.info("x", { path: "a".repeat(10_000) }));
    assert.ok(line.length < 500);
  });

  it("shows error codes, but no other codes", async () => {
    const [line = ""] = await lines((log) =>
      log.info("x", { code: "ERR_CONTENT_YAML", a: { code: "4/0AX4" } }),
    );
    const { code, a } = JSON.parse(line) as { code: string; a: { code: string } };
    assert.deepEqual([code, a.code], ["ERR_CONTENT_YAML", "[redacted]"]);
  });

  it("redacts secrets by their keys, nested ones too", async () => {
    const secrets = {
      token: "canary",
      accessToken: "canary",
      clientSecret: "canary",
      password: "canary",
    };
    const [line = ""] = await lines((log) =>
      log.info("x", {
        ...secrets,
        headers: { authorization: "canary", cookie: "canary" },
        code: "canary",
      }),
    );
    assert.doesNotMatch(line, /canary/);
    assert.equal(line.match(/\[redacted\]/g)?.length, 7);
  });
});

describe("a logged text", () => {
  it("shows no secret, at any depth and position", async () => {
    const deep = { a: { b: { c: { d: { token: "canary" } } } } };
    const [line = ""] = await lines((log) =>
      log.info("x", {
        error: new Error("GET https://ada:canary@host/?token=canary failed"),
        long: `${"a".repeat(250)} token=canary`,
        deep,
      }),
    );
    assert.doesNotMatch(line, /canary/);
  });
});

describe("the JSON log of a server", () => {
  it("opens on standard output", async () => {
    const log = await createLog({ format: "json", level: "error" });
    log.info("below the level", {});
    log.flush();
  });
});
