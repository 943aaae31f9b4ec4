import assert from "node:assert/strict";
import fc from "fast-check";
import { testClock } from "#testing";
import type { SearchItem, SimilarItem } from "../../../../plugins/search/contract.js";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { usePostgres } from "../../../support/services.js";

interface Answer {
  total: number;
  items: SearchItem[];
  similar?: SimilarItem[];
  didYouMean?: string | null;
}
type Files = Record<string, string>;

const page = (title: string, body: string, matter = ""): string =>
  `---\ntitle: ${title}\n${matter}---\n\n${body}\n`;
const files: Files = {
  "content/01.home/default.md": page("Home", "A picture of the harbour."),
  "content/02.receive/default.md": page("How to receive", "You receive letters."),
  "content/03.photo/default.md": page("Photo album", "A photo a day."),
  "content/04.running/default.md": page("Running", "Run along the coast."),
  "content/05.secret/default.md": page("Zeppelins", "Only for members.", "roles: [member]\n"),
  "content/06.js/default.md": page("Java script", "A language."),
  "search/synonyms.yaml":
    "groups: [[picture, photo]]\none_way: { ecmascript: [java script] }\nstop: [the]\nlang: { de: { groups: [[boot, kahn]] } }\n",
};
const search = { similar: { stemming: true } };

describe("GET /api/search?similar=1", function () {
  this.timeout(120_000);
  const clock = testClock();
  /** The site of tests that only read. */
  let shared: TestSite;
  let site: TestSite;
  const open = (
    given: Files = files,
    system: Record<string, unknown> = { search },
  ): Promise<TestSite> =>
    bootSite({
      plugins: ["content", "markdown", "search", "pages", "session", "users"],
      files: given,
      env: { SITE_ENV: "production" },
      settings: { system },
      clock,
    });
  const boot = async (...given: Parameters<typeof open>): Promise<void> =>
    void (site = await open(...given));
  before(async () => void (shared = await open()));
  after(() => shared.close());
  beforeEach(() => void (site = shared));
  const ask = async (query: string): Promise<Answer> => {
    const response = await site.fetch(`/api/search?${query}`);
    assert.equal(response.status, 200, query);
    return (await response.json()) as Answer;
  };
  const found = ({ similar }: Answer): string[] =>
    (similar ?? []).map(({ route, matched }) => `${matched} ${route}`);
  afterEach(async () => {
    if (site !== shared) await site.close();
  });

  it("finds words with wrong letters, and offers the right ones", async () => {
    const answer = await ask("q=How+to+recieve!&similar=1");
    assert.deepEqual(found(answer), []);
    assert.equal(answer.didYouMean, "How to receive");
    const alone = await ask("q=Recieve&similar=1");
    assert.deepEqual([alone.total, alone.items], [0, []]);
    assert.deepEqual(found(alone), ["typo /receive"]);
    assert.equal(alone.didYouMean, "receive");
    assert.deepEqual(alone.similar?.[0]?.highlights, ["receive"]);
  });

  it("finds synonyms, also of several words, and stems", async () => {
    assert.deepEqual(found(await ask("q=picture&similar=1")), ["synonym /photo"]);
    assert.deepEqual(found(await ask("q=ecmascript&similar=1")), ["synonym /js"]);
    const stems = await ask("q=runs&similar=1");
    assert.deepEqual([stems.total, found(stems)], [0, ["stem /running"]]);
  });

  it("looks up nothing for stop words, and nothing that is switched off", async () => {
    await boot(
      { ...files, "search/synonyms.yaml": "groups: [[picture, photo]]\nstop: [picture]\n" },
      { search: { similar: { typo: false, stemming: false } } },
    );
    for (const query of ["picture", "recieve", "runs"]) {
      const answer = await ask(`q=${query}&similar=1`);
      assert.deepEqual([found(answer), answer.didYouMean], [[], null], query);
    }
  });

  it("leaves out pages that the visitor may not see, and their words", async () => {
    const answer = await ask("q=zepelins&similar=1");
    assert.deepEqual([found(answer), answer.didYouMean], [[], null]);
  });

  it("uses synonyms that were changed while the site runs, after a second", async () => {
    await boot();
    assert.deepEqual(found(await ask("q=harbour&similar=1")), []);
    await site.write("search/synonyms.yaml", "groups: [[harbour, album]]\n");
    clock.advance(1_000);
    await ask("q=another&similar=1");
    assert.deepEqual(found(await ask("q=harbour&similar=1")), ["synonym /photo"]);
  });

  it("keeps the former synonyms while the file has a mistake", async () => {
    await boot();
    await ask("q=picture&similar=1");
    await site.write("search/synonyms.yaml", "groups: [[picture, photo]\n");
    clock.advance(1_000);
    assert.deepEqual(found(await ask("q=picture&similar=1&limit=3")), ["synonym /photo"]);
  });

  it("reports mistakes of the file with their line, from the start and until they are fixed", async () => {
    await boot({ ...files, "search/synonyms.yaml": "stop: [the]\ngroups: [[alone]]\n" });
    const problems = () =>
      site.site
        .use("content")
        .problems()
        .map(({ sourcePath, line, message }) => [sourcePath, line, message]);
    const [[file, line, message] = []] = problems();
    assert.deepEqual([file, line], ["search/synonyms.yaml", 2]);
    assert.match(String(message), /^groups\.0: /);
    for (const [text, wrong] of [
      ["groups: [[picture, photo]\n", 1],
      ["a: &a [x, y]\nstop: [the]\n", 1],
    ] as const) {
      await site.write("search/synonyms.yaml", text);
      clock.advance(1_000);
      await ask("q=picture&similar=1");
      assert.equal(problems()[0]?.[1], wrong, text);
    }
    await site.write("search/synonyms.yaml", "groups: [[picture, photo]]\n");
    clock.advance(1_000);
    assert.deepEqual(found(await ask("q=picture&similar=1")), ["synonym /photo"]);
    assert.deepEqual(problems(), []);
  });

  it("adds nothing unless asked", async () => {
    const answer = await ask("q=recieve");
    assert.deepEqual(["similar" in answer, "didYouMean" in answer], [false, false]);
  });
});

const WORDS = ["lamp", "lamps", "lanterns", "light", "lights", "harbour", "boats", "boat", "wind"];
const TYPOS = ["lmap", "lantrens", "harbuor", "boots", "wind", "ligth", "zebra", "the"];

/** A corpus of pages with few words, the same for every engine. */
function corpus(seed: number): Files {
  const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 });
  const texts = fc.sample(fc.tuple(text, text), { seed, numRuns: 25 });
  return Object.fromEntries(
    texts.map(([title, body], at) => [
      `content/p${at}/default.md`,
      page(title.slice(0, 3).join(" "), body.join(" "), `date: 2026-01-${10 + (at % 9)}\n`),
    ]),
  );
}

describe("similar hits over random corpora", function () {
  this.timeout(300_000);
  let url: string;
  before(async function () {
    ({ url } = await usePostgres(this));
  });

  for (const seed of [1, 2]) {
    it(`change nothing of the exact result and are the same in every engine, seed ${seed}`, async () => {
      const engines = ["builtin", "lunr", "postgres"];
      const words = fc.array(fc.constantFrom(...WORDS, ...TYPOS), { minLength: 1, maxLength: 3 });
      const queries = fc.sample(words, { seed, numRuns: 40 }).map((list) => list.join(" "));
      const answers = new Map<string, unknown>();
      for (const engine of engines) {
        const site = await bootSite({
          plugins: ["content", "markdown", "search", "search-lunr", "search-postgres", "pages"],
          files: { ...corpus(seed), "search/synonyms.yaml": "groups: [[boat, lamp]]\n" },
          env: { SITE_ENV: "production", SITE_DB_URL: url },
          settings: { system: { search: { engine, similar: { stemming: true } } } },
        });
        for (const query of queries) {
          const address = `/api/search?limit=5&q=${encodeURIComponent(query)}`;
          const exact = (await (await site.fetch(address)).json()) as Answer;
          const response = await site.fetch(`${address}&similar=1`);
          const { similar, didYouMean, ...rest } = (await response.json()) as Answer;
          assert.deepEqual(rest, exact, `${engine}: ${query}`);
          const shown = new Set(exact.items.map(({ route }) => route));
          assert.ok(similar?.every(({ route }) => !shown.has(route)));
          const known = answers.get(query);
          if (known === undefined) answers.set(query, { similar, didYouMean });
          else assert.deepEqual({ similar, didYouMean }, known, `${engine}: ${query}`);
        }
        await site.close();
      }
      assert.ok(JSON.stringify([...answers.values()]).includes('"matched":"typo"'));
    });
  }
});
