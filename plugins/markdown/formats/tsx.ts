import { join } from "node:path";
import type { ComponentType } from "preact";
import { type Modules, SiteError } from "#kernel";
import { realInside } from "#lib/files";
import { sameName } from "#lib/text";
import type { MediaItem, Page } from "../../content/contract.js";
import type { Format, Rendered, RenderInput } from "../contract.js";
import {
  componentProblem,
  describeError,
  problemPage,
  type ComponentFormatOptions,
} from "./mdx.js";

/** Dependencies of the `tsx` format. */
export interface TsxFormatOptions extends Omit<
  ComponentFormatOptions,
  "bodies" | "components" | "options" | "highlights"
> {
  modules: Pick<Modules, "load" | "invalidate">;
}

type Props = Readonly<Record<string, unknown>>;

/**
 * `tsx`: renders the default export of the file. It is code that runs with the server's rights; its
 * output is not changed, so it may be a whole document.
 */
export class TsxFormat implements Format {
  readonly extension = "tsx";
  readonly runs = true;
  readonly #options: TsxFormatOptions;
  /** Source path to the digest of the loaded file. */
  readonly #loaded = new Map<string, string>();

  constructor(options: TsxFormatOptions) {
    this.#options = options;
  }

  async render(input: RenderInput): Promise<Rendered> {
    const { page } = input;
    const { onOutcome, contentFolder, showsErrors } = this.#options;
    try {
      const html = await this.#html(input);
      onOutcome(page, null);
      return { html, headings: [] };
    } catch (error) {
      const problem = componentProblem(page, describeError(error, contentFolder), null);
      onOutcome(page, problem);
      return problemPage(problem, { details: showsErrors });
    }
  }

  /** Text from the front matter; the text of a component is only known after rendering. */
  text({ entry }: Page): string {
    const { description, summary } = entry.frontmatter;
    return [summary, description].filter((text) => typeof text === "string").join("\n");
  }

  async #html({ page, props, resolve }: RenderInput): Promise<string> {
    const component = await this.#component(page);
    const { h, isValidElement } = await import("preact");
    const { renderToStringAsync } = await import("preact-render-to-string");
    const all = { ...pageProps(page, resolve), ...props };
    if (component.constructor.name !== "AsyncFunction") {
      return renderToStringAsync(h(component, all));
    }
    const node: unknown = await Reflect.apply(component, undefined, [all]);
    return isValidElement(node) ? renderToStringAsync(node) : "";
  }

  async #component(page: Page): Promise<ComponentType<Props>> {
    const { sourcePath, hash } = page.entry;
    const { modules, contentFolder } = this.#options;
    const file = await realInside(contentFolder, join(contentFolder, sourcePath));
    if (file === null) throw componentError(`${sourcePath} is not in the content folder`);
    const before = this.#loaded.get(sourcePath);
    if (before !== undefined && before !== hash) await modules.invalidate();
    const { default: component } = await modules.load(file);
    this.#loaded.set(sourcePath, hash);
    if (isComponent(component)) return component;
    throw componentError(
      `the default export of ${sourcePath} is ${typeof component}, not a component`,
    );
  }
}

function pageProps({ entry, media }: Page, resolve: RenderInput["resolve"]): Props {
  return {
    route: entry.route,
    frontmatter: entry.frontmatter,
    media: {
      url: (name: string): string | null => resolve(encodeURIComponent(name)),
      get: (name: string): MediaItem | undefined => media.find((item) => sameName(item.name, name)),
      list: (): readonly MediaItem[] => media,
    },
  };
}

function isComponent(value: unknown): value is ComponentType<Props> {
  return typeof value === "function";
}

function componentError(message: string): SiteError {
  return new SiteError("ERR_MARKDOWN_COMPONENT", message, {
    fix: "export a component by default",
  });
}
