/** The home page of a documentation in other systems, as the front matter of a landing page. */
import { isRecord } from "#kernel";
import type { PlacedPage } from "./folder-source.js";
import { text } from "./front-matter.js";

type Data = Readonly<Record<string, unknown>>;

/** Front matter that only home pages have; `landingPage` reads it. */
export const LANDING_KEYS = [
  "home",
  "hero",
  "features",
  "heroImage",
  "heroImageDark",
  "heroText",
  "heroAlt",
  "tagline",
  "actions",
  "actionText",
  "actionLink",
];
/** The keys of the result whose values are links. */
const LINK_KEYS = ["hero.actions.url", "features.url"];

/**
 * Template, front matter, picture and links of a home page with `hero` and `features`, in the words of VitePress,
 * Starlight and VuePress; null for a page without both.
 */
export function landingPage(
  data: Data,
): Pick<PlacedPage, "template" | "matter" | "image" | "linkKeys"> | null {
  const hero = toHero(data);
  const features = listOf(data["features"]).map((one) => ({
    title: plain(one["title"]),
    text: plain(one["details"]),
    url: text(one["link"]),
  }));
  if (hero === null && features.length === 0) return null;
  return {
    template: "landing",
    image: pictureOf(isRecord(data["hero"]) ? data["hero"]["image"] : data["heroImage"]),
    linkKeys: LINK_KEYS,
    matter: {
      ...(data["title"] === undefined && hero !== null && { title: hero.title }),
      hero,
      features,
    },
  };
}

function toHero(data: Data) {
  const hero = isRecord(data["hero"]) ? data["hero"] : null;
  const isHome = data["home"] === true;
  if (hero === null && !isHome) return null;
  // VitePress has a name above its text, the others a title above a line.
  const words =
    hero === null
      ? [data["heroText"], data["tagline"]]
      : [
          hero["name"] ?? hero["title"] ?? (hero["text"] === undefined ? data["title"] : null),
          hero["text"],
          hero["tagline"],
        ];
  const [title = "", ...lines] = words.map(plain).filter((word) => word !== null);
  const written = hero === null ? data["actions"] : hero["actions"];
  const single = { text: data["actionText"], link: data["actionLink"] };
  const actions = [...listOf(written), ...(isHome && written === undefined ? [single] : [])];
  return {
    title: title || (text(data["title"]) ?? "Home"),
    text: sentences(lines),
    actions: actions.flatMap((one) => {
      const [label, url] = [plain(one["text"]), text(one["link"])];
      return label === null || url === null ? [] : [{ label, url }];
    }),
  };
}

/** Lines as one text, each with a mark at its end but the last. */
export function sentences(lines: readonly string[]): string {
  return lines
    .map((line, at) => (at === lines.length - 1 || /[.!?…:,;]$/.test(line) ? line : `${line}.`))
    .join(" ");
}

function pictureOf(value: unknown): string | null {
  if (!isRecord(value)) return text(value);
  return text(value["src"]) ?? text(value["file"]) ?? text(value["light"]);
}

/** A text without HTML. */
function plain(value: unknown): string | null {
  const words = text(value)
    ?.replaceAll(/<[^<>]{0,300}>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return words === undefined || words === "" ? null : words;
}

function listOf(value: unknown): Data[] {
  const list: unknown[] = Array.isArray(value) ? value : [];
  return list.filter((one): one is Data => isRecord(one));
}
