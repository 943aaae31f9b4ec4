import type { ModuleProps } from "#theme";
import { Actions } from "../actions.js";
import { ModuleHead, moduleLanguage } from "../module-parts.js";

/** A call to action: `title`, `text`, `actions` and the body. */
export default function CallToAction({ module, level, href }: ModuleProps) {
  return (
    <section class="module wrap" {...moduleLanguage(module)}>
      <div class="cta">
        <ModuleHead module={module} level={level} />
        <Actions actions={module.data["actions"]} href={href} />
      </div>
    </section>
  );
}
