import assert from "node:assert/strict";
import { BootReport, formatBootReport } from "../../../kernel/boot/boot-report.js";
import type { BootStep } from "../../../kernel/contracts.js";
import { bootSite } from "../../support/sites/boot-site.js";

describe("BootReport", () => {
  it("records each step in order, also a failing one, and passes on its result", async () => {
    const report = new BootReport();
    assert.equal(await report.time("setup", "a", () => 1), 1);
    await assert.rejects(report.time("ready", "b", () => Promise.reject(new Error("broken"))));
    report.note("load", null, 5);
    const steps = report.steps.map(({ step, plugin }) => [step, plugin]);
    assert.deepEqual(steps, [
      ["setup", "a"],
      ["ready", "b"],
      ["load", null],
    ]);
    assert.ok(report.steps.every(({ ms }) => ms >= 0));
  });
});

describe("formatBootReport", () => {
  it("lists the slowest first, twelve at most, and sums up the rest", () => {
    const steps = Array.from({ length: 20 }, (_, at): BootStep => {
      return { step: "setup", plugin: `p${at}`, ms: at + 0.5 };
    });
    const lines = formatBootReport(steps);
    assert.equal(lines.length, 13);
    assert.match(lines[0] ?? "", /^ +19\.5 ms {2}set up +p19$/);
    assert.match(lines.at(-1) ?? "", /^ +32\.0 ms {2}8 other steps$/);
    assert.deepEqual(formatBootReport([]), []);
  });
});

describe("the boot report of a site", () => {
  it("lists the load, the setup of every plugin, the hooks and the ready work", async () => {
    const test = await bootSite();
    const steps = test.site.bootSteps();
    const plugins = test.site
      .context("cli")
      .runtime.plugins()
      .map(({ name }) => name);
    const setUp = steps.flatMap(({ step, plugin }) => (step === "setup" ? [plugin] : []));
    assert.deepEqual(setUp, plugins);
    assert.equal(steps[0]?.step, "load");
    assert.ok(steps.some(({ step, plugin }) => step === "ready" && plugin === "content"));
    assert.ok(steps.some(({ step }) => step === "hooks"));
    await test.close();
  });
});
