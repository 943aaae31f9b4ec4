import assert from "node:assert/strict";
import { RecordedLog } from "#testing";

describe("RecordedLog", () => {
  it("records lines in order, with their severity", () => {
    const log = new RecordedLog();
    log.logger.debug("a");
    log.logger.info("b", { n: 1 });
    log.logger.warn("b", { n: 2 });
    log.logger.error("c");
    assert.deepEqual(log.lines, [
      { level: "debug", event: "a", fields: {} },
      { level: "info", event: "b", fields: { n: 1 } },
      { level: "warn", event: "b", fields: { n: 2 } },
      { level: "error", event: "c", fields: {} },
    ]);
    assert.deepEqual(
      log.of("b").map(({ level }) => level),
      ["info", "warn"],
    );
  });

  it("adds the fields of child loggers; a line's own fields win", () => {
    const log = new RecordedLog();
    const inner = log.logger.child({ plugin: "p", at: "outer" }).child({ at: "inner" });
    inner.info("x", { more: true });
    inner.info("x", { plugin: "own" });
    log.logger.info("x");
    assert.deepEqual(
      log.of("x").map(({ fields }) => fields),
      [{ plugin: "p", at: "inner", more: true }, { plugin: "own", at: "inner" }, {}],
    );
  });
});
