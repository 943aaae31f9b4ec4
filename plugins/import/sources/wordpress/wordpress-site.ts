/** The facts that items of a WordPress export share: hosts, authors, page parents, menus. */
import { mediaTypeOf } from "#lib/files";
import { decoded } from "../../plan/address-key.js";
import { readChannel, type XmlElement, textOf, toItem, type WxrItem } from "./read-wxr.js";

interface KnownPage {
  readonly slug: string;
  readonly parent: string;
}

/** Facts of a whole export, without its texts. */
export class WordpressSite {
  readonly #hosts = new Set<string>();
  readonly #authors = new Map<string, string>();
  readonly #pages = new Map<string, KnownPage>();
  readonly #files = new Map<string, string>();
  readonly #images = new Map<string, string[]>();
  readonly #menu = new Map<string, number>();
  readonly #domains = new Set<string>();
  #accounts = 0;

  /** Reads the export. @throws ERR_IMPORT_SOURCE */
  static async read(path: string): Promise<WordpressSite> {
    const site = new WordpressSite();
    for await (const element of readChannel(path)) site.#add(element);
    return site;
  }

  get hosts(): readonly string[] {
    return [...this.#hosts];
  }

  /** Remarks about the export as a whole. */
  get notes(): readonly string[] {
    const domains = [...this.#domains].filter(
      (one) => !["category", "post_tag", "post_format"].includes(one),
    );
    return [
      ...(this.#accounts > 0
        ? [
            `${this.#accounts} accounts of authors: pages have their names, create accounts with users:create`,
          ]
        : []),
      ...(domains.length > 0
        ? [
            `taxonomies ${domains.join(", ")}: pages have their terms, add the names to taxonomies in site.yaml to list them`,
          ]
        : []),
    ];
  }

  /** The display name of an author. */
  author(login: string): string {
    return this.#authors.get(login) ?? login;
  }

  /** Position of a page in a menu; null when no menu has it. */
  menuPosition(id: string): number | null {
    return this.#menu.get(id) ?? null;
  }

  /** The address of an attachment. */
  fileUrl(id: string): string | null {
    return this.#files.get(id) ?? null;
  }

  /** Ids of the images that were uploaded to a page. */
  imagesOf(id: string): readonly string[] {
    return this.#images.get(id) ?? [];
  }

  /** Slugs of the pages above a page, the top one first. */
  slugsAbove(parent: string): string[] {
    const slugs: string[] = [];
    const seen = new Set<string>();
    for (let id = parent; id !== "0" && id !== "" && !seen.has(id);) {
      seen.add(id);
      const page = this.#pages.get(id);
      if (page === undefined) break;
      slugs.unshift(page.slug);
      id = page.parent;
    }
    return slugs;
  }

  #add(element: XmlElement): void {
    const { name, text } = element;
    if (name === "link" || name === "wp:base_site_url" || name === "wp:base_blog_url")
      this.#host(text);
    else if (name === "wp:author") this.#author(element);
    else if (name === "item") this.#item(toItem(element));
  }

  #host(text: string): void {
    // WordPress.com names its own host as that of the network.
    if (URL.canParse(text.trim())) this.#hosts.add(new URL(text.trim()).hostname);
    this.#hosts.delete("wordpress.com");
  }

  #author(element: XmlElement): void {
    const login = textOf(element, "wp:author_login");
    this.#accounts += 1;
    this.#authors.set(login, textOf(element, "wp:author_display_name") || login);
  }

  #item(item: WxrItem): void {
    const { id, type, parent, slug, attachmentUrl, terms } = item;
    for (const { domain } of terms) if (type !== "nav_menu_item") this.#domains.add(domain);
    if (type === "page") this.#pages.set(id, { slug: decoded(slug) || `page-${id}`, parent });
    else if (type === "nav_menu_item") this.#menuItem(item);
    else if (type === "attachment" && attachmentUrl !== "") {
      this.#files.set(id, attachmentUrl);
      const images = this.#images.get(parent);
      if (!mediaTypeOf(attachmentUrl).startsWith("image/")) return;
      if (images === undefined) this.#images.set(parent, [id]);
      else images.push(id);
    }
  }

  #menuItem({ meta, menuOrder }: WxrItem): void {
    const id = meta.get("_menu_item_object_id") ?? "";
    const isTop = (meta.get("_menu_item_menu_item_parent") ?? "0") === "0";
    if (meta.get("_menu_item_object") !== "page" || !isTop || this.#menu.has(id)) return;
    this.#menu.set(id, Math.max(1, menuOrder));
  }
}
