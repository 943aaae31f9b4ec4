/** A folder's modules, one of each component of the default theme. */
export function modulesBelow(folder: string, picture: Buffer): Record<string, string | Buffer> {
  const files: Record<string, string | Buffer> = {
    "01._hero/hero.md":
      "title: Two boats, one harbour\ntext: Sail along the coast, with or without a skipper.\nimage: horizon.png\nalt: The sea at dusk\nactions: [{ label: Book a boat, url: /blog }, { label: Read more, url: /about }]",
    "02._why/features.md":
      "title: Why sail with us\nitems: [{ title: Safe, text: Life jackets for everybody., url: /about }, { title: Near, text: Ten minutes from the station. }, { title: Quiet, text: No engine in the bay. }]",
    "03._text/text.md":
      "title: The bay\n---\nSheltered from the *north*.\n\n## Depths\n\nTwo to nine metres, see `chart 14`.",
    "04._gallery/gallery.md":
      "title: Pictures\nimages: [{ file: horizon.png, alt: The sea, caption: At dusk }, { file: horizon.png, alt: The sea again }, horizon.png]",
    "05._quote/quote.md":
      "author: Ada Marsh\nrole: Skipper\nimage: horizon.png\n---\nThe wind decides, and we decide what to do with it.",
    "06._code/code.md":
      "title: For programs\ntext: Ask for free boats.\n---\n```sh\ncurl https://example.org/api/boats?free=true\n```",
    "07._other/timetable.md": "# Timetable\n\n| Day | From |\n| --- | --- |\n| Monday | 9:00 |",
    "08._cta/cta.md":
      "title: Come aboard\ntext: Boats leave daily.\nactions: [{ label: Book, url: /blog }]",
  };
  const withMatter = (text: string | Buffer): string =>
    String(text).startsWith("#")
      ? String(text)
      : `---\n${String(text).includes("\n---\n") ? text : `${String(text)}\n---\n`}\n`;
  const entries = Object.entries(files).map(
    ([name, text]) => [`${folder}/${name}`, withMatter(text)] as const,
  );
  const pictures = ["01._hero", "04._gallery", "05._quote"].flatMap((name) => [
    [`${folder}/${name}/horizon.png`, picture] as const,
    [`${folder}/${name}/horizon.png.meta.yaml`, "alt: A horizon\n"] as const,
  ]);
  return Object.fromEntries([...entries, ...pictures]);
}
