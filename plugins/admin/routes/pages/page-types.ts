import { z } from "zod";
import { initialValue, type FieldMoment } from "#lib/fields";
import { presentMoment } from "#kernel/internal";
import type { Field } from "#kernel";
import type { RouteParts } from "../route-parts.js";

const text = z.string();

/** A field of a page type or record type, as forms read it. */
export const formField = z.looseObject({
  name: text,
  type: text,
  control: text,
  label: text,
  help: text,
  required: z.boolean(),
  group: text,
  tab: text,
  fields: z.array(z.unknown()),
});

/** Fields as JSON: a kind becomes its form control, and the default `now` the current time. */
export function formFieldsOf(
  fields: readonly Field[],
  moment: FieldMoment,
): z.input<typeof formField>[] {
  return fields.map((field) => {
    const { kind, defaultsToNow: _defaultsToNow, ...own } = field;
    return {
      ...own,
      default: initialValue(field, moment),
      control: kind.control,
      fields: formFieldsOf(field.fields, moment),
    };
  });
}

const answers = {
  200: z.object({
    items: z.array(
      z.object({
        template: text,
        label: text,
        drawnWith: text,
        fields: z.array(formField),
        children: z.array(text).nullable(),
        parents: z.array(text).nullable(),
        status: text.nullable(),
        columns: z.array(text),
        naming: z.object({ slug: text, prefix: text }).nullable(),
      }),
    ),
    blocks: z.array(z.object({ name: text, label: text, fields: z.array(formField) })),
    templates: z.array(text).describe("Templates of the theme, with and without a page type"),
  }),
};

/** Page types with the fields of their forms. */
export function pageTypeRoutes({ admin, site }: RouteParts): void {
  admin.route({
    method: "get",
    path: "/page-types",
    permission: "pages.read",
    summary: "Page types and blocks with the fields of their forms",
    responses: answers,
    handler: (req, res) => {
      const { blueprints } = site.use("content");
      const moment = presentMoment(site);
      const items = blueprints.list().map(({ name, title, template, fields, ...type }) => ({
        template: name,
        label: title,
        drawnWith: template,
        fields: formFieldsOf(fields, moment),
        children: type.children,
        parents: type.parents,
        status: type.status,
        naming: type.naming,
        columns: type.columns,
      }));
      const blocks = blueprints
        .blocks()
        .map(({ name, label, fields }) => ({ name, label, fields: formFieldsOf(fields, moment) }));
      const templates = site.use("render", { optional: true })?.templates() ?? [];
      return site.http.json(req, res, { items, blocks, templates });
    },
  });
}
