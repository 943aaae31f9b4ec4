import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "#lib/packages";
import { cardFont } from "../../scripts/card-font.mjs";

const file = (name: string): Buffer =>
  readFileSync(join(packageRoot(), "plugins", "render", "assets", name));

describe("the font of preview pictures", () => {
  it("is what scripts/card-font.mjs makes", async () => {
    assert.ok(file("inter-bold.ttf").equals(await cardFont()), "run node scripts/card-font.mjs");
  });

  it("is at most 350 KB, with its licence beside it", () => {
    assert.ok(file("inter-bold.ttf").length <= 350_000);
    assert.match(file("inter-license.txt").toString(), /SIL OPEN FONT LICENSE Version 1\.1/);
  });
});
