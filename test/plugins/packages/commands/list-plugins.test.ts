import assert from "node:assert/strict";
import { listCommand } from "../../../../plugins/packages/commands/sources.js";
import { syncCommand } from "../../../../plugins/packages/commands/lockfile.js";
import { usePackageSite } from "../../../support/packages/package-site.js";

describe("plugin:list", function () {
  this.timeout(240_000);
  const { registry, write, run } = usePackageSite();

  it("shows the state of each plugin and theme, even if the site cannot start", async () => {
    registry.current.publish({ name: "kit", version: "1.0.0" });
    await write("site.yaml", "title: T\nplugins: [npm:kit@^1.0.0]\n");
    await run(syncCommand);
    await write(
      "site.yaml",
      "title: T\nplugins: [search, ./a.ts, 'npm:kit@^1.0.0', 'npm:kit@^3.0.0', 'npm:lost@1.0.0', {src: 'npm:off@1.0.0', enabled: false}]\nthemes: [{name: t, src: 'npm:kit@~1.0.0'}]\n",
    );
    const { json } = await run(listCommand, [], { json: true });
    assert.deepEqual(
      json.items.map(({ kind, name, installed, locked, state }: Record<string, string>) =>
        [kind, name, installed, locked, state].join(" "),
      ),
      [
        "plugin search   ok",
        "plugin a   ok",
        "plugin kit 1.0.0 1.0.0 ok",
        "plugin kit 1.0.0  outside range",
        "plugin lost   missing",
        "plugin off   off",
        "theme t 1.0.0  drift",
      ],
    );
    assert.equal((await run(listCommand)).lines.length, 7);
  });

  it("reports a configuration without plugins", async () => {
    assert.match((await run(listCommand)).lines.join(), /no plugins are configured/);
  });
});
