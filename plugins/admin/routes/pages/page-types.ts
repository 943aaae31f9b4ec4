import { initialValue, type FieldMoment } from "#lib/fields";
import type { Field } from "#kernel";
import type { AdminContext } from "../admin-context.js";
import { pagesApi } from "../../schemas/pages.js";

/** A field as JSON. */
interface FormField extends Omit<Field, "kind" | "defaultsToNow" | "fields"> {
  readonly control: string;
  readonly fields: readonly FormField[];
}

/** Fields as JSON: a kind becomes its form control, and the default `now` the current time. */
export function toFormFields(fields: readonly Field[], moment: FieldMoment): FormField[] {
  return fields.map((field) => {
    const { kind, defaultsToNow: _defaultsToNow, ...rest } = field;
    return {
      ...rest,
      default: initialValue(field, moment),
      control: kind.control,
      fields: toFormFields(field.fields, moment),
    };
  });
}

/** Page types with the fields of their forms. */
export function pageTypeRoutes({ admin, site }: AdminContext): void {
  admin.route({
    method: "get",
    path: "/page-types",
    permission: "pages.read",
    paths: "own",
    summary: "Page types and blocks with the fields of their forms",
    responses: pagesApi["GET /page-types"].responses,
    handler: (req, res) => {
      const { blueprints } = site.use("content");
      const { runtime, settings } = site;
      const moment = { now: runtime.clock.now(), timezone: settings.system.timezone };
      const items = blueprints.list().map(({ name, title, template, fields, ...type }) => ({
        template: name,
        label: title,
        drawnWith: template,
        fields: toFormFields(fields, moment),
        children: type.children,
        parents: type.parents,
        status: type.status,
        naming: type.naming,
        columns: type.columns,
      }));
      const blocks = blueprints
        .blocks()
        .map(({ name, label, fields }) => ({ name, label, fields: toFormFields(fields, moment) }));
      const templates = site.use("render", { optional: true })?.templates() ?? [];
      return site.http.json(req, res, { items, blocks, templates });
    },
  });
}
