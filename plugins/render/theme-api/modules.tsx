import { Fragment } from "preact";
import type { VNode } from "preact";
import type { ModuleView, TemplateProps } from "../contract.js";

/** Props of `Modules`. */
interface ModulesProps extends TemplateProps {
  /** Default: the modules of the page. */
  items?: readonly ModuleView[];
  /** True: the first one has the heading of the page. */
  hasTitle?: boolean;
}

/**
 * Draws modules or blocks, each with its component of the theme. Pass all props of the template.
 *
 * @example
 * <Layout {...props}>
 *   <h1>{props.page?.title}</h1>
 *   <Modules {...props} />
 * </Layout>
 */
export function Modules({ items, hasTitle = false, ...props }: ModulesProps): VNode {
  const modules = items ?? props.modules;
  return (
    <Fragment>
      {modules.map(({ Component, ...module }, index) => (
        <Component {...props} key={index} module={module} level={hasTitle && index === 0 ? 1 : 2} />
      ))}
    </Fragment>
  );
}
