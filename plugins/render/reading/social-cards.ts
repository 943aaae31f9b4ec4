import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite, HttpError, type Answer, type CacheSpace, type SiteContext } from "#kernel";
import { sha256 } from "#lib/secrets";
import type { ContentService, PageEntry } from "../../content/contract.js";
import type { PageRequest } from "../contract.js";
import { drawCard, type CardTexts } from "../engines/sharp.js";
import { textDirection } from "../theme/strings.js";

/** Beginning of the addresses of cards. */
export const CARDS = "/_site/cards";
const FOREVER = "public, max-age=31536000, immutable";
const AN_HOUR = "public, max-age=3600, must-revalidate";
const MAX_BYTES = 16 * 1_024 * 1_024;
const MAX_TITLE = 140;
/** Changes with the design of cards. */
const DESIGN = 1;
interface CardData {
  readonly site: SiteContext;
  readonly content: ContentService;
}

/** Generates the preview pictures of pages without one of their own: their title, as PNG. */
export class SocialCards {
  readonly #context: CardData;
  readonly #cards: CacheSpace<Buffer>;
  // Not in site.cache: an address lives as long as its entry. Its digest took 4 % of the CPU of a page.
  readonly #addresses = new WeakMap<PageEntry, string>();

  constructor(context: CardData) {
    this.#context = context;
    this.#cards = context.site.cache.open<Buffer>("social-cards", {
      maxBytes: MAX_BYTES,
      sizeOf: ({ length }) => length,
      untagged: true,
    });
  }

  /** The address of a page's card. It contains a digest of its texts. */
  addressOf(entry: PageEntry): string {
    const { url } = entry;
    const cached = this.#addresses.get(entry);
    if (cached !== undefined) return cached;
    const digest = digestTexts(this.#textsOf(entry));
    const address = `${CARDS}${url === "/" ? "/index" : url}.png?v=${digest}`;
    this.#addresses.set(entry, address);
    return address;
  }

  /**
   * The card of the page that the address names.
   * @throws HttpError 404 for a page that the visitor cannot see.
   */
  async answer(req: PageRequest): Promise<Answer> {
    const { content } = this.#context;
    const [, path = ""] = /^\/_site\/cards(\/.+)\.png$/s.exec(req.ctx.path) ?? [];
    const view = content.view(req.ctx.state.viewer);
    const match = view.resolve(path === "/index" ? "/" : path);
    if (match.kind !== "page") throw new HttpError(404, "not found");
    const texts = this.#textsOf(match.entry);
    const digest = digestTexts(texts);
    const isExact = new URLSearchParams(req.ctx.search).get("v") === digest;
    const isPublic = match.entry.roles === null && !view.personal;
    return {
      type: "image/png",
      body: await this.#cards.get(digest, () => this.#stored(digest, texts)),
      headers: isPublic ? { "Cache-Control": isExact ? FOREVER : AN_HOUR } : {},
      cache: { private: !isPublic, until: view.expiresAt },
    };
  }

  /** Drawing takes long: a restart finds the picture in the cache folder. */
  async #stored(digest: string, texts: CardTexts): Promise<Buffer> {
    const { settings, paths, log } = this.#context.site;
    const file = join(paths.cache, "cards", `${digest}.png`);
    const stored = await readFile(file).catch(() => null);
    if (stored !== null) return stored;
    const card = await drawCard(texts);
    if (settings.system.cache.enabled) {
      await atomicWrite(file, card).catch((error: unknown) =>
        log.warn("render.card_not_stored", { error: String(error) }),
      );
    }
    return card;
  }

  #textsOf({ title, lang }: PageEntry): CardTexts {
    const short = Array.from(title).slice(0, MAX_TITLE).join("");
    return { title: short, site: this.#context.site.settings.site.title, dir: textDirection(lang) };
  }
}

function digestTexts(texts: CardTexts): string {
  return sha256(JSON.stringify([DESIGN, texts])).slice(0, 12);
}
