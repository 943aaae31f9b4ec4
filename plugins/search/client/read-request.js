/** Parses the query string of the search page as the server does. */
export function readRequest(params, head) {
  const hasSubtype = head.facets.includes("subtype");
  const facets = chosenFacets(params, head.facets);
  const type = params.get("type") ?? "";
  if (hasSubtype && type !== "" && type !== "all") facets.subtype = [type];
  return {
    text: params.get("q") ?? "",
    filters: { taxonomy: chosenTaxonomy(params), facets },
    sort: hasSubtype && params.get("sort") === "date" ? "date" : "relevance",
    limit: Math.min(500, whole(params.get("limit"), 1) ?? head.pageSize),
    offset: whole(params.get("offset"), 0) ?? 0,
  };
}

function whole(text, least) {
  return /^\d{1,7}$/.test(text ?? "") && Number(text) >= least ? Number(text) : null;
}

function chosenFacets(params, fields) {
  const named = fields.map((field) => {
    const values = [...params.getAll(`facet[${field}]`), ...params.getAll(`facet[${field}][]`)];
    return [field, values.filter((value) => value !== "")];
  });
  return Object.fromEntries(named.filter(([, values]) => values.length > 0));
}

function chosenTaxonomy(params) {
  const chosen = {};
  for (const [name, value] of params) {
    const key = /^taxonomy\[([^\]]+)\](?:\[\])?$/.exec(name)?.[1];
    if (key !== undefined && value !== "") chosen[key] = [...(chosen[key] ?? []), value];
  }
  return chosen;
}
