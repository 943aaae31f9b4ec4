import assert from "node:assert/strict";
import { definePlugin, type SiteContext } from "#kernel";
import { RecordedLog } from "#lib/testing";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

interface Report {
  status: string;
  problems: readonly { part: string; problem: string }[];
  weather?: unknown;
  fine?: unknown;
}

interface Mistake {
  cause: string;
  isUrgent: boolean;
  note?: string;
}

const TOKEN = "a-long-health-token";

describe("a plugin that fails again and again", () => {
  let site: TestSite;
  afterEach(() => site.close());

  async function boot(setup: (context: SiteContext) => void): Promise<RecordedLog> {
    const log = new RecordedLog();
    const plugin = definePlugin({
      name: "moon",
      version: "1.0.0",
      requires: ["health"],
      after: ["render"],
      setup,
    });
    site = await bootSite({
      files: {
        "site.yaml": `title: Tea\nhealth_token: ${TOKEN}\n`,
        "content/01.home/default.md": "---\ntitle: Home\n---\n\nTea.\n",
      },
      env: { SITE_ENV: "dev" },
      extraPlugins: [plugin],
      log: log.logger,
    });
    return log;
  }
  const report = async (): Promise<Report> => {
    const response = await site.fetch(`/health?detailed=true&token=${TOKEN}`);
    assert.equal(response.status, 200);
    return (await response.json()) as Report;
  };
  const overlay = async (): Promise<readonly Mistake[]> => {
    const response = await site.fetch("/_site/problems");
    return ((await response.json()) as { mistakes: readonly Mistake[] }).mistakes;
  };
  const visit = async (times: number): Promise<void> => {
    for (let at = 0; at < times; at += 1) assert.equal((await site.fetch("/")).status, 200);
  };
  const ofMoon = (mistakes: readonly Mistake[]): Mistake | undefined =>
    mistakes.find(({ cause }) => cause.includes("moon"));

  const places: readonly (readonly [place: string, setup: (context: SiteContext) => void])[] = [
    [
      "onAfterRender",
      ({ hooks, paths }) =>
        hooks.on("onAfterRender", () => assert.fail(`no moon in ${paths.root}`)),
    ],
    [
      "pageHead",
      ({ extensions, paths }) =>
        extensions.add("pageHead", () => assert.fail(`no moon in ${paths.root}`)),
    ],
  ];
  for (const [place, setup] of places) {
    it(`is switched off in ${place}: log, health and overlay name plugin and place`, async () => {
      const log = await boot(setup);
      assert.equal((await report()).status, "ok");
      await visit(1);
      assert.equal(ofMoon(await overlay())?.isUrgent, false);
      assert.equal((await report()).status, "ok", "one failure");
      await visit(6);
      const event = place === "pageHead" ? "extension.switched_off" : "hook.switched_off";
      const [line, ...more] = log.of(event);
      assert.deepEqual(more, []);
      assert.equal(line?.level, "error");
      assert.equal(line?.fields["plugin"], "moon");
      assert.equal(line?.fields[place === "pageHead" ? "list" : "hook"], place);
      assert.match(String(line?.fields["fix"]), /correct the plugin/);

      const { status, problems } = await report();
      assert.equal(status, "degraded");
      assert.deepEqual(problems, [
        { part: "plugins", problem: `plugin moon is switched off in ${place}: see the log` },
      ]);

      const mistake = ofMoon(await overlay());
      assert.equal(mistake?.isUrgent, true);
      assert.match(mistake.cause, new RegExp(`the plugin moon fails in ${place}: no moon`));
      assert.match(mistake.note ?? "", /switched off/);
    });
  }

  it("does not break the health report by its own section and check", async () => {
    const log = await boot((context) => {
      const health = context.use("health");
      health.addSection("weather", () => assert.fail("no moon"));
      health.addSection("endless", () => 10n);
      health.addSection("fine", () => 7);
      health.addCheck("weather", () => assert.fail("no tide"));
    });
    await report();
    const { status, problems, weather, fine } = await report();
    assert.deepEqual(
      log.of("health.part_failed").map(({ fields }) => [fields["part"], fields["error"]]),
      [
        ["weather check", "AssertionError [ERR_ASSERTION]: no tide"],
        ["weather section", "AssertionError [ERR_ASSERTION]: no moon"],
        ["endless section", "TypeError: Do not know how to serialize a BigInt"],
      ],
    );
    assert.equal(status, "degraded");
    assert.deepEqual([weather, fine], [null, 7]);
    assert.deepEqual(problems, [
      { part: "weather", problem: "its health check has failed: see the log" },
      { part: "weather", problem: "its section of this report cannot be read: see the log" },
      {
        part: "endless",
        problem: "its section of this report cannot be read: see the log",
      },
    ]);
  });
});
