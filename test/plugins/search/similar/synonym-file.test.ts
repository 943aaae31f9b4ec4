import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SynonymFile } from "../../../../plugins/search/similar/synonym-file.js";
import { useFolder } from "../../../support/folder.js";
import { silentLog } from "#kernel";

describe("SynonymFile", () => {
  const folder = useFolder();

  it("lets a caller during a reading wait for it", async () => {
    const file = new SynonymFile(folder.path, "synonyms.yaml", silentLog);
    writeFileSync(join(folder.path, "synonyms.yaml"), "groups: [[picture, photo]]\n");
    const first = file.refresh();
    await file.refresh();
    assert.equal(file.version, 1);
    assert.equal(await first, true);
  });
});
