// The public names of `fw/testing`.
export { TestClient, type TestClientOptions, type TestRequestOptions } from './test-client.js';
export { TestResponse } from './test-response.js';
