import type { PageEntry } from "../../content/contract.js";
import type { TemplateProps } from "../contract.js";
import type { RenderContext, Scope } from "./render-context.js";
import { completeMarked, renderComponent } from "./document/render-component.js";
import { renderFailure } from "../errors.js";

/** A template, its props and its page. */
export interface RenderTask {
  template: string;
  props: TemplateProps;
  page: PageEntry | null;
}

/** A document. */
export interface RenderedDocument {
  html: string | Buffer;
  /** False when it contains the nonce of this request. */
  isShareable: boolean;
}

/**
 * A whole document from a template of the theme; fires onBeforeRender and onAfterRender.
 * @throws ERR_TEMPLATE_LOAD, ERR_TEMPLATE_INVALID, ERR_TEMPLATE_RENDER.
 */
export async function renderHtml(
  context: RenderContext,
  scope: Scope,
  task: RenderTask,
): Promise<RenderedDocument> {
  const { hooks } = context.site;
  const { req } = scope;
  const before = await hooks.transform("onBeforeRender", { req, ...task });
  try {
    return await finish(context, scope, { before, markup: await draw(scope, before) });
  } catch (error) {
    if (before.template === task.template && before.props === task.props) throw error;
    // Handlers chose another template, or changed its props.
    const markup = await draw(scope, task);
    hooks.reject("onBeforeRender", error);
    return finish(context, scope, { before: task, markup });
  }
}

async function finish(
  context: RenderContext,
  { req, parts }: Scope,
  { before, markup }: { before: RenderTask; markup: string },
): Promise<RenderedDocument> {
  const { hooks } = context.site;
  const { head, lang, dir } = before.props;
  const isShareable = !req.ctx.hasNonce;
  const complete = (): string => completeMarked(markup, { head, lang, dir }, parts);
  if (hooks.has("onAfterRender")) {
    const { page } = before;
    const whole = parts.text(complete());
    const { html } = await hooks.transform("onAfterRender", { req, page, html: whole });
    return { html, isShareable };
  }
  if (!isShareable) return { html: parts.bytes(complete()), isShareable };
  const key = `${lang} ${dir} ${head.length} ${head}${markup}`;
  return { html: parts.document(key, complete), isShareable };
}

async function draw({ theme, parts }: Scope, { template, props }: RenderTask): Promise<string> {
  const component = await theme.templates.get(template);
  if (component === null) throw unknownTemplate(template);
  try {
    return await renderComponent(component, props, parts);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw renderFailure("ERR_TEMPLATE_RENDER", `template ${JSON.stringify(template)}: ${reason}`, {
      cause,
    });
  }
}

function unknownTemplate(name: string): Error {
  return renderFailure("ERR_TEMPLATE_INVALID", `no template is named ${JSON.stringify(name)}`);
}
