import { Modules } from "#theme";
import type { PageView, TemplateProps } from "#theme";
import { hasOwnTitle } from "./prose.js";

/** The modules of a page, full width below its text; nothing without modules. */
export function PageModules(props: TemplateProps) {
  const { page, modules } = props;
  if (page === null || modules.length === 0) return null;
  return (
    <div class="modules">
      <Modules {...props} hasTitle={opensWithHero({ page, modules })} />
    </div>
  );
}

/** True if the first module is a hero that has the page's title: nothing is shown above it. */
export function opensWithHero({
  page,
  modules,
}: Pick<TemplateProps, "modules"> & { page: PageView }): boolean {
  return modules[0]?.name === "hero" && page.html.trim() === "" && !hasOwnTitle(page);
}
