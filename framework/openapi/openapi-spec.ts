// OpenAPI: a document that is put together endpoint by endpoint.

import { ConfigError } from '../config-error.js';
import type { SecurityScheme } from '../extract/description.js';
import { writeIfChanged } from '../files/write-file.js';
import { checkValue } from '../options/check.js';
import { filled, text } from '../options/rules.js';
import { shown } from '../options/shown.js';
import { urlPath } from '../router/url-pattern.js';
import { parseType } from '../wire/read/parse-type.js';
import { type OpenApiSchema, toOpenApi } from './to-openapi.js';

/** What a path answers to one method. */
export interface OpenApiOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: OpenApiContent } | undefined;
  /** By status, such as `200`, `2XX` for a range, or `default` for all others. */
  readonly responses: { readonly [status: string]: OpenApiResponse };
  /** Alternatives of security schemes, by name, with the scopes that they need. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

/** Schemas by media type. */
export type OpenApiContent = Readonly<Record<string, { readonly schema: OpenApiSchema }>>;

export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, OpenApiHeader>>;
  readonly content?: OpenApiContent;
}

/** A header field of a response. */
export interface OpenApiHeader {
  readonly description?: string;
  readonly required: boolean;
  readonly schema: OpenApiSchema;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required: boolean;
  readonly schema: OpenApiSchema;
  readonly description?: string;
}

/** An OpenAPI 3.0.0 document. */
export interface OpenApiDocument {
  readonly openapi: '3.0.0';
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly security?: OpenApiOperation['security'];
  readonly paths: { readonly [path: string]: { readonly [method: string]: OpenApiOperation } };
  readonly components?: {
    readonly schemas?: { readonly [name: string]: OpenApiSchema };
    readonly securitySchemes?: { readonly [name: string]: SecurityScheme };
  };
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * ```ts
 * const spec = new OpenApiSpec('Shop', '1.0.0')
 *   .addEndpoint('/users/:id', 'GET', 'One user', undefined, 'User')
 *   .addSchema('User', { type: 'object', properties: { id: { type: 'string' } } });
 * await spec.writeToFile('openapi.json');
 * ```
 */
export class OpenApiSpec {
  readonly #title: string;
  readonly #version: string;
  readonly #servers: string[] = [];
  readonly #paths = new Map<string, Map<string, OpenApiOperation>>();
  readonly #schemas = new Map<string, OpenApiSchema>();
  readonly #schemes = new Map<string, SecurityScheme>();
  readonly #description: string | undefined;
  #security: OpenApiOperation['security'];

  /** `version` is that of the API. @throws Error where one of them is not a text, which OpenAPI demands. */
  constructor(title: string, version: string, description?: string) {
    for (const [name, value] of Object.entries({ title, version })) {
      if (typeof value === 'string' && value !== '') continue;
      throw new ConfigError(
        'FW_OPENAPI_INFO',
        `OpenAPI requires a ${name}, got ${shown(value)}; give a string`,
      );
    }
    this.#title = title;
    this.#version = version;
    this.#description = description;
  }

  /** An address of the API, such as `https://shop.example/api`. */
  addServer(url: string): this {
    this.#servers.push(checkValue('addServer', 'the address', url, filled));
    return this;
  }

  /**
   * @param path as routes are written: `/users/:id`.
   * @param requestSchema of the JSON body: a TypeScript type, or the name of a schema; none where undefined.
   * @param responseSchema of the JSON answer, likewise.
   * @throws TypeSyntaxError where a type cannot be read; Error where the method is unknown or there already.
   */
  addEndpoint(
    path: string,
    method: string,
    summary: string,
    requestSchema: string | undefined,
    responseSchema: string,
  ): this {
    checkValue('addEndpoint', 'the path', path, text);
    const parameters = [...path.matchAll(/(?<=\/)[:*](\w+)/g)].map(
      ([, name = '']): OpenApiParameter => ({ name, in: 'path', required: true, schema: { type: 'string' } }),
    );
    return this.addOperation(path, method, {
      summary,
      ...(parameters.length > 0 && { parameters }),
      ...(requestSchema !== undefined && {
        requestBody: { required: true, content: { 'application/json': { schema: schemaOf(requestSchema) } } },
      }),
      responses: {
        200: {
          description: 'Success',
          content: { 'application/json': { schema: schemaOf(responseSchema) } },
        },
      },
    });
  }

  /**
   * An operation as OpenAPI writes it; what a URL cannot hold is percent-encoded in the path. @throws Error where the method is unknown or there already, or the path no
   * path.
   */
  addOperation(path: string, method: string, operation: OpenApiOperation): this {
    checkValue('addOperation', 'the path', path, text);
    const name = checkValue('addOperation', 'the method', method, text).toLowerCase();
    if (!METHODS.includes(name)) {
      throw new ConfigError(
        'FW_OPENAPI_METHOD',
        `OpenAPI has no method '${method}'; it has ${METHODS.join(', ')}`,
      );
    }
    if (!path.startsWith('/')) {
      throw new ConfigError(
        'FW_OPENAPI_PATH',
        `'${path}' is not a path of OpenAPI; begin it with a slash: '/${path}'`,
      );
    }
    const template = urlPath(path.replaceAll(/(?<=\/)[:*](\w+)/g, '{$1}'));
    const operations = this.#paths.get(template) ?? new Map<string, OpenApiOperation>();
    if (operations.has(name))
      throw new ConfigError(
        'FW_OPENAPI_OPERATION_TWICE',
        `${name.toUpperCase()} ${template} is in the document already`,
      );
    operations.set(name, operation);
    this.#paths.set(template, operations);
    return this;
  }

  /** A schema that endpoints refer to by its name. @throws Error where OpenAPI does not allow the name. */
  addSchema(name: string, schema: OpenApiSchema): this {
    checkValue('addSchema', 'the name', name, text);
    if (!/^[A-Za-z0-9._-]+$/.test(name)) {
      throw new ConfigError(
        'FW_OPENAPI_SCHEMA_NAME',
        `the schema name '${name}' is not possible; use letters, digits, '.', '_' and '-'`,
      );
    }
    this.#schemas.set(name, schema);
    return this;
  }

  /** A way to authenticate, by the name that operations refer to. */
  addSecurityScheme(name: string, scheme: SecurityScheme): this {
    this.#schemes.set(name, scheme);
    return this;
  }

  /** The schemes that operations without `security` require: all of them; none if the list is empty. */
  addSecurity(names: readonly string[]): this {
    this.#security = names.length === 0 ? [] : [Object.fromEntries(names.map((name) => [name, []]))];
    return this;
  }

  /** The document as text, sorted by path and by name: for files and responses. `toJSON()` gives the object. */
  toJson(): string {
    return `${JSON.stringify(this.toJSON(), null, 2)}\n`;
  }

  /** The document as an object, to look into it; `JSON.stringify(spec)` calls it. `toJson()` gives the text. */
  toJSON(): OpenApiDocument {
    const paths = [...this.#paths].sort(byName).map(([path, operations]) => {
      return [path, Object.fromEntries([...operations].sort(byName))] as const;
    });
    const schemas = [...this.#schemas].sort(byName);
    const schemes = [...this.#schemes].sort(byName);
    return {
      openapi: '3.0.0',
      info: {
        title: this.#title,
        version: this.#version,
        ...(this.#description !== undefined && { description: this.#description }),
      },
      ...(this.#servers.length > 0 && { servers: this.#servers.map((url) => ({ url })) }),
      ...(this.#security !== undefined && { security: this.#security }),
      paths: Object.fromEntries(paths),
      ...(schemas.length + schemes.length > 0 && {
        components: {
          ...(schemas.length > 0 && { schemas: Object.fromEntries(schemas) }),
          ...(schemes.length > 0 && { securitySchemes: Object.fromEntries(schemes) }),
        },
      }),
    };
  }

  /** Writes the document where its text differs from what is there. */
  async writeToFile(path: string): Promise<void> {
    await writeIfChanged(path, this.toJson());
  }
}

function schemaOf(type: string): OpenApiSchema {
  checkValue('addEndpoint', 'the schema', type, text);
  return toOpenApi(parseType(type), {}) as OpenApiSchema;
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `new OpenApiBuilder().title('Shop').version('1.0.0').build()`. */
export class OpenApiBuilder {
  #title = 'API';
  #version = '1.0.0';

  title(title: string): this {
    this.#title = title;
    return this;
  }

  version(version: string): this {
    this.#version = version;
    return this;
  }

  build(): OpenApiSpec {
    return new OpenApiSpec(this.#title, this.#version);
  }
}
