/** A page of the corpus. */
export interface CorpusPage {
  readonly route: string;
  readonly title: string;
  readonly body: string;
  readonly tags: readonly string[];
  readonly section: string;
  readonly date: string;
}
const vocabularySize = 165_000;
const exponent = 1.03;
const meanWords = 322;
const stopWords =
  "the of to and a in is for that on with as it be this are by or from an at not can you if which will when one all".split(
    " ",
  );

/** Deterministic random numbers in [0, 1). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Words by rank: frequent ones are short, rare ones longer, with shared prefixes as in real words. */
export function createVocabulary(): readonly string[] {
  const random = createRandom(7);
  const heads =
    "b c d f g h j k l m n p r s t v w br ch cl cr dr fl gr pl pr qu sc sh sp st str th tr wh".split(
      " ",
    );
  const vowels = "a e i o u ai ea ee ie oa ou".split(" ");
  const tails = ["", "", "", "n", "r", "s", "t", "l", "nd", "st", "ng", "ck", "m"];
  const pick = (list: readonly string[]): string =>
    list[Math.floor(random() * random() * list.length)] ?? "";
  const words = new Set(stopWords);
  while (words.size < vocabularySize) {
    const syllables = 1 + Math.floor(random() * (words.size < 2000 ? 2 : 3.4));
    let word = "";
    for (let at = 0; at < syllables; at++) word += pick(heads) + pick(vowels) + pick(tails);
    if (words.has(word))
      word +=
        pick(["ing", "ed", "er", "ly", "ness", "able", "ment", "s", "ist", "al"]) +
        (random() < 0.3 ? pick(heads) + pick(vowels) : "");
    if (word.length > 1) words.add(word);
  }
  return [...words];
}

/** Cumulative share of words by rank. */
function cumulative(): Float64Array {
  const sums = new Float64Array(vocabularySize);
  let sum = 0;
  for (let rank = 0; rank < vocabularySize; rank++)
    sums[rank] = sum += 1 / (rank + 2.7) ** exponent;
  return sums.map((value) => value / sum);
}

/** Pages whose words follow Zipf's law, in bursts: a page repeats its words. */
export function* createCorpus(pages: number, vocabulary: readonly string[]): Generator<CorpusPage> {
  const random = createRandom(11);
  const sums = cumulative();
  const draw = (): string => {
    const wanted = random();
    let [low, high] = [0, vocabularySize - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sums[middle] ?? 1) < wanted) low = middle + 1;
      else high = middle;
    }
    return vocabulary[low] ?? "";
  };
  for (let page = 0; page < pages; page++) {
    const title = Array.from({ length: 2 + Math.floor(random() * 4) }, draw);
    yield {
      route: `/section-${page % 40}/page-${page}`,
      title: title.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" "),
      // One flat string, like a file read from disk.
      body: Buffer.from(writeBody(title, { random, draw }), "latin1").toString("latin1"),
      tags: [`tag-${Math.floor(random() ** 2 * 60)}`, `tag-${Math.floor(random() * 60)}`],
      section: `section-${page % 40}`,
      date: new Date(Date.UTC(2015, 0, 1) + Math.floor(random() * 4000) * 86_400_000)
        .toISOString()
        .slice(0, 10),
    };
  }
}

function writeBody(
  title: readonly string[],
  { random, draw }: { random: () => number; draw: () => string },
): string {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const length = Math.max(
    20,
    Math.min(4000, Math.round(meanWords * Math.exp(0.7 * normal - 0.245))),
  );
  const rare: string[] = [...title];
  let body = "";
  for (let at = 0; at < length; at++) {
    const repeat = random() < 0.28;
    const word = repeat ? (rare[Math.floor(random() * rare.length)] ?? "") : draw();
    if (!repeat && word.length > 3) rare.push(word);
    const end = at % 13 === 12 ? ". " : at % 7 === 6 ? ", " : " ";
    body += (at % 13 === 0 ? word.charAt(0).toUpperCase() + word.slice(1) : word) + end;
    if (at % 90 === 89) body += "\n\n";
  }
  return body;
}

/** Queries by class, chosen by the expected frequency of their words. */
export function createQueries(
  vocabulary: readonly string[],
  each: number,
): Readonly<Record<string, readonly string[]>> {
  const random = createRandom(23);
  const between = (low: number, high: number): string =>
    vocabulary[low + Math.floor(random() * (high - low))] ?? "";
  const many = (make: () => string): string[] => Array.from({ length: each }, make);
  const middle = (): string => between(600, 4000);
  return {
    one: many(middle),
    common: many(() => between(40, 300)),
    rare: many(() => between(40_000, 120_000)),
    two: many(() => `${between(100, 1500)} ${middle()}`),
    three: many(() => `${between(60, 600)} ${middle()} ${middle()}`),
    prefix4: many(() => between(300, 8000).slice(0, 4)),
    prefix2: many(() => between(300, 8000).slice(0, 2)),
    stop: many(() => stopWords[Math.floor(random() * 12)] ?? "the").map((word) =>
      word.length > 1 ? word : "the",
    ),
    none: many(() => `zzq${between(2000, 90_000)}`),
  };
}
