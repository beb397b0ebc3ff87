// Form: checks the fields and files of a form against a schema.
import { formLimits, type MultipartOptions } from '../multipart/limits.js';
import { assertSchema, type Issues } from '../schema/check.js';
import { rejection, type Source } from '../schema/rejection.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import { callSite } from '../tracing/call-site.js';
import { checkFields, type Fields } from './check-fields.js';
import type { Extractor } from './extractor.js';

/**
 * Extracts a form, `multipart/form-data` or `application/x-www-form-urlencoded`, as one object: a string or a `File` for
 * each field, or an array of them if the field repeats or the schema expects an array. The schema may convert strings to
 * other types. Fields that are named `tag[]`, as some libraries do for lists, are `tag`. A file input in which no file
 * was chosen is left out. Another media type and a malformed body are answered 400, more than the limits 413, and a form
 * that the schema refuses 422 (`ValidationError`).
 *
 * ```ts
 * const Profile = z.object({ name: z.string().min(1), age: z.coerce.number(), photo: z.file().optional() });
 * app.post('/profile', Form(Profile), async ({ name, photo }) => save(name, await photo?.bytes()));
 * ```
 *
 * The form is held in memory: let `maxBodySize` limit it, or read large files with `ctx.req.multipart()`. If the schema
 * refuses the value of a field that occurs once, it is run again with an array, so it may run up to three times for one
 * request.
 *
 * @param limits how many fields and files it may have: 1,000 and 100 by default
 */
export function Form<Schema extends StandardSchemaV1>(
  schema: Schema,
  limits: MultipartOptions = {},
): Extractor<StandardSchemaV1.InferOutput<Schema>> {
  assertSchema('Form()', schema);
  formLimits(limits);
  const source: Source = { field: '', whole: 'form', place: callSite(Form) };
  const reject = (issues: Issues) => rejection(issues, source, 'ValidationError', 422);
  return {
    name: 'Form',
    describes: {
      body: schema,
      bodyType: 'multipart/form-data',
      errors: { 400: 'The body is not a form.', 422: 'The form is invalid.' },
    },
    async extract(ctx) {
      const fields = fieldsOf(await ctx.req.formData(limits));
      return checkFields<string | File, StandardSchemaV1.InferOutput<Schema>>(schema, fields, reject);
    },
  };
}

/** No prototype, because clients choose the names. */
function fieldsOf(form: FormData): Fields<string | File> {
  const fields: Record<string, (string | File)[]> = Object.create(null);
  for (const [name, value] of form) {
    if (typeof value !== 'string' && value.name === '' && value.size === 0) continue;
    const key = name.endsWith('[]') ? name.slice(0, -2) : name;
    const values = fields[key];
    if (values === undefined) fields[key] = [value];
    else values.push(value);
  }
  return fields;
}
