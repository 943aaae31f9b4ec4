import type { ModuleProps } from "#theme";
import { ModuleHead, moduleLanguage } from "../module-parts.js";

/** Running text: `title`, `text` and the body. Modules without a component of their own use it too. */
export default function Text({ module, level }: ModuleProps) {
  return (
    <section class="module wrap column" {...moduleLanguage(module)}>
      <ModuleHead module={module} level={level} />
    </section>
  );
}
