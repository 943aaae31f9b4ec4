import type { PageEntry } from "../../content/contract.js";
import type { TemplateProps } from "../contract.js";
import type { House, Scope } from "./render-context.js";
import { completeMarked, renderComponent } from "./render-component.js";
import { renderFailure } from "../errors.js";
import { whenThere, type Soon } from "./soon.js";

/** A template, its props and its page. */
export interface RenderTask {
  template: string;
  props: TemplateProps;
  page: PageEntry | null;
}

/** A document, and whether it may be cached. */
export interface RenderedDocument {
  html: string | Buffer;
  holdable: boolean;
  /** True when later responses have the same bytes while nothing changes. */
  lasting: boolean;
}

/**
 * A whole document from a template of the theme; fires onBeforeRender and onAfterRender. `holdable`
 * is false when the document contains this request's nonce.
 * @throws ERR_TEMPLATE_LOAD, ERR_TEMPLATE_INVALID, ERR_TEMPLATE_RENDER.
 */
export function renderHtml(house: House, scope: Scope, task: RenderTask): Soon<RenderedDocument> {
  const { hooks } = house.site;
  const { req } = scope;
  return whenThere(hooks.transform("onBeforeRender", { req, ...task }), (before) =>
    whenThere(draw(scope, before), (markup) => finish(house, scope, { before, markup })),
  );
}

function finish(
  house: House,
  { req, parts }: Scope,
  { before, markup }: { before: RenderTask; markup: string },
): Soon<RenderedDocument> {
  const { hooks } = house.site;
  const { head, lang, dir } = before.props;
  const holdable = !req.ctx.hasNonce;
  const complete = (): string => completeMarked(markup, { head, lang, dir }, parts);
  if (hooks.has("onAfterRender")) {
    const { page } = before;
    const after = hooks.transform("onAfterRender", { req, page, html: parts.text(complete()) });
    return whenThere(after, ({ html }) => ({ html, holdable, lasting: false }));
  }
  if (!holdable) return { html: parts.bytes(complete()), holdable, lasting: false };
  const key = `${lang} ${dir} ${head.length} ${head}${markup}`;
  return { html: parts.document(key, complete), holdable, lasting: true };
}

function draw({ theme, parts }: Scope, { template, props }: RenderTask): Soon<string> {
  const { templates } = theme;
  return whenThere(templates.ready(template) ?? templates.get(template), (component) => {
    if (component === null) throw unknownTemplate(template);
    return drawn(template, () => renderComponent(component, props, parts));
  });
}

/**
 * The markup that `work` returns; its errors, also asynchronous ones, are reported as template
 * errors.
 */
function drawn(template: string, work: () => Soon<string>): Soon<string> {
  try {
    const markup = work();
    return markup instanceof Promise
      ? markup.catch((cause: unknown) => fail(template, cause))
      : markup;
  } catch (cause) {
    return fail(template, cause);
  }
}

function fail(template: string, cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause);
  throw renderFailure("ERR_TEMPLATE_RENDER", `template ${JSON.stringify(template)}: ${reason}`, {
    cause,
  });
}

function unknownTemplate(name: string): Error {
  return renderFailure("ERR_TEMPLATE_INVALID", `no template is named ${JSON.stringify(name)}`);
}
