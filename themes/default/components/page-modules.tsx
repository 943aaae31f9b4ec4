import { Modules } from "#theme";
import type { ModuleView, PageView, TemplateProps } from "#theme";
import { hasOwnTitle } from "./prose.js";

/** The blocks and the modules of a page, full width below its text; nothing without any. */
export function PageModules(props: TemplateProps) {
  const { page } = props;
  const items = listParts(props);
  if (page === null || items.length === 0) return null;
  return (
    <div class="modules">
      <Modules {...props} items={items} hasTitle={opensWithHero({ ...props, page })} />
    </div>
  );
}

/** True if the first part is a hero that has the page's title: nothing is shown above it. */
export function opensWithHero(props: TemplateProps & { page: PageView }): boolean {
  const { page } = props;
  return listParts(props)[0]?.name === "hero" && page.html.trim() === "" && !hasOwnTitle(page);
}

function listParts({ blocks, modules }: TemplateProps): readonly ModuleView[] {
  return [...Object.values(blocks).flat(), ...modules];
}
