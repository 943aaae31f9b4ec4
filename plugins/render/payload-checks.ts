/** What handlers of the hooks of this plugin may set. */
import { expectFields } from "#kernel";

/** Payload of onBeforeRender. A template that fails on changed props is rendered with the site's own. */
export const beforeRender = expectFields({
  req: ["object"],
  page: ["object", "null"],
  template: ["string"],
  props: ["object"],
});

/** Payload of onAfterRender. */
export const afterRender = expectFields({
  req: ["object"],
  page: ["object", "null"],
  html: ["string"],
});
