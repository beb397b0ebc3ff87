// The schema of fw.toml as JSON Schema, with which editors complete and check the file.
import { CLIENT_FORMS, type Key, type Kind, schema } from './schema.js';

const types: Readonly<Record<Kind, object>> = {
  text: { type: 'string', minLength: 1 },
  client: { enum: CLIENT_FORMS },
  port: { type: 'integer', minimum: 1, maximum: 65535 },
  milliseconds: { type: 'integer', minimum: 20, maximum: 60000 },
  switch: { type: 'boolean' },
  texts: { type: 'array', items: { type: 'string', minLength: 1 } },
};

/** JSON Schema draft-07, which editors of TOML understand. */
export function settingsJsonSchema(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'fw.toml',
    description: 'Settings of the fw command. Flags win over variables, variables over this file.',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(Object.entries(schema).map(([name, keys]) => [name, tableSchema(keys)])),
  };
}

function tableSchema(keys: Readonly<Record<string, Key>>): object {
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      Object.entries(keys).map(([name, { kind, ...more }]) => [name, { ...types[kind], ...more }]),
    ),
  };
}
