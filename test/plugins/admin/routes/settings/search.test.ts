import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { useFreshAdmin } from "../../../../support/sites/use-site.js";

const file = "search/synonyms.yaml";
const text = "# of the harbour\ngroups:\n  - [ship,  boat] # both\n\nstop: [the]\n";
const path = "/admin/api/search";

describe("search in the admin API", () => {
  const site = useFreshAdmin({ files: { [file]: text } });
  const admin = site.user("admin");
  const onDisk = () => readFile(join(site.root, file), "utf8");

  it("explains what visitors find without counting the search", async () => {
    const author = await site.as("author");
    const found = await author.json(200, "GET", `${path}/explain?q=first`);
    const [item] = found.items;
    assert.deepEqual([item.route, found.total], ["/blog/first", 1]);
    assert.deepEqual(
      item.explanation.terms[0].matches.map(({ field }: { field: string }) => field),
      ["title", "body"],
    );
    // A draft is not found.
    assert.equal((await author.json(200, "GET", `${path}/explain?q=second`)).total, 0);
    const { totalSearches } = await author.json(200, "GET", `${path}/analytics`);
    assert.equal(totalSearches, 0);
    await author.json(400, "GET", `${path}/explain`);
  });

  it("saves synonyms that the next search uses, and keeps every other byte", async () => {
    const { hash, lists, languages } = await admin.json(200, "GET", `${path}/synonyms`);
    assert.deepEqual([lists[""].groups, languages], [[["ship", "boat"]], ["en"]]);
    const next = {
      groups: [
        ["ship", "boat"],
        ["initial", "first"],
      ],
      one_way: { js: ["javascript"] },
      stop: ["the"],
    };
    const body = { lists: next };
    const headers = { "if-match": `"${hash}"` };
    assert.deepEqual((await search("initial")).similar, []);
    const saved = await admin.json(200, "PUT", `${path}/synonyms`, body, headers);
    assert.deepEqual(saved.lists[""], next);
    const groups = text.replace("# both\n", "# both\n  - [initial, first]\n");
    assert.equal(await onDisk(), `${groups}one_way:\n  js:\n    - javascript\n`);
    assert.equal((await search("initial")).similar[0]?.matched, "synonym");
    await admin.json(409, "PUT", `${path}/synonyms`, body, headers);
    await admin.json(200, "PUT", `${path}/synonyms`, { lang: "de", lists: next });
    assert.match(await onDisk(), /\nlang:\n {2}de:\n/);
    const events = (await site.audit()).map(({ event }) => event);
    assert.equal(events.filter((event) => event === "search.synonyms").length, 2);
  });

  it("suggests synonyms for words that were searched without a result", async () => {
    const suggested = async () =>
      (await admin.json(200, "GET", `${path}/synonyms/suggestions`)).items;
    assert.deepEqual(await suggested(), []);
    for (const word of ["firstly", "firstly", "zzz", "first", "sceond"]) await search(word);
    // The page of the second word is a draft, and nothing resembles the third.
    assert.deepEqual(await suggested(), [{ word: "firstly", searches: 2, candidates: ["first"] }]);
    const { hash, lists } = await admin.json(200, "GET", `${path}/synonyms`);
    const next = { ...lists[""], one_way: { firstly: ["first"] } };
    await admin.json(200, "PUT", `${path}/synonyms`, { lists: next }, { "if-match": `"${hash}"` });
    assert.deepEqual(await suggested(), []);
    assert.equal((await search("firstly")).similar[0]?.matched, "synonym");
    const author = await site.as("author");
    await author.json(403, "GET", `${path}/synonyms/suggestions`);
  });

  it("rejects invalid lists, a broken file and roles without the right", async () => {
    const lists = { groups: [["alone"]], one_way: {}, stop: [] };
    const { error } = await admin.json(400, "PUT", `${path}/synonyms`, { lists });
    assert.match(error, /groups\.0/);
    const editor = await site.as("editor");
    const refused = await editor.json(403, "PUT", `${path}/synonyms`, { lists });
    assert.match(refused.error, /config\.update/);
    assert.equal(await onDisk(), text);
    await site.write(file, "groups: [");
    assert.match(
      (await editor.json(200, "GET", `${path}/synonyms`)).problem,
      /expected valid YAML/,
    );
    const empty = { groups: [], one_way: {}, stop: [] };
    await admin.json(409, "PUT", `${path}/synonyms`, { lists: empty });
    assert.equal(await onDisk(), "groups: [");
  });

  async function search(q: string) {
    const answer = await site.fetch(`/api/search?q=${q}&similar=1`);
    return z
      .object({ similar: z.array(z.looseObject({ matched: z.string() })) })
      .parse(await answer.json());
  }
});
