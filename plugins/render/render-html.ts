import type { PageEntry } from "../content/contract.js";
import type { TemplateProps } from "./contract.js";
import type { House, Scope } from "./house.js";
import { completeMarked, renderComponent } from "./render-component.js";
import { renderFailure } from "./errors.js";

/** A template, its props and the page they are of. */
export interface RenderTask {
  template: string;
  props: TemplateProps;
  page: PageEntry | null;
}

/**
 * A whole document from a template of the theme, with onBeforeRender and onAfterRender around it.
 * `holdable` is false when the document carries this request's nonce.
 * @throws ERR_TEMPLATE_LOAD, ERR_TEMPLATE_INVALID, ERR_TEMPLATE_RENDER.
 */
export async function renderHtml(
  house: House,
  scope: Scope,
  task: RenderTask,
): Promise<{ html: string | Buffer; holdable: boolean }> {
  const { hooks } = house.site;
  const { req, parts } = scope;
  const before = await hooks.transform("onBeforeRender", { req, ...task });
  const markup = await draw(scope, before);
  const { head, lang, dir } = before.props;
  const complete = completeMarked(markup, { head, lang, dir }, parts);
  const holdable = !req.ctx.hasNonce;
  if (!hooks.has("onAfterRender")) return { html: parts.bytes(complete), holdable };
  const { page } = before;
  const { html } = await hooks.transform("onAfterRender", {
    ...{ req, page, html: parts.text(complete) },
  });
  return { html, holdable: !req.ctx.hasNonce };
}

async function draw({ theme, parts }: Scope, { template, props }: RenderTask): Promise<string> {
  const component = await theme.templates.get(template);
  if (component === null) {
    throw renderFailure("ERR_TEMPLATE_INVALID", `no template is named ${JSON.stringify(template)}`);
  }
  try {
    return await renderComponent(component, props, parts);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw renderFailure("ERR_TEMPLATE_RENDER", `template ${JSON.stringify(template)}: ${reason}`, {
      cause,
    });
  }
}
