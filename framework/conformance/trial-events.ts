// For tests: events as the platforms send them, from the examples of their documentation.

/** Of a function URL, and of an HTTP API with the payload 2.0. */
export function eventV2(change: object = {}, method = 'POST'): object {
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: '/my/path',
    rawQueryString: 'parameter1=value1&parameter1=value2&parameter2=value',
    cookies: ['cookie1=1', 'cookie2=2'],
    headers: {
      host: 'id.lambda-url.us-west-2.on.aws',
      'x-forwarded-for': '6.6.6.6, 123.123.123.123',
      'content-type': 'application/json',
      header2: 'value1,value2',
    },
    queryStringParameters: { parameter1: 'value1,value2', parameter2: 'value' },
    requestContext: {
      accountId: '123456789012',
      apiId: 'id',
      domainName: 'id.lambda-url.us-west-2.on.aws',
      domainPrefix: 'id',
      http: {
        method,
        path: '/my/path',
        protocol: 'HTTP/1.1',
        sourceIp: '123.123.123.123',
        userAgent: 'agent',
      },
      requestId: 'id',
      routeKey: '$default',
      stage: '$default',
      time: '12/Mar/2020:19:03:58 +0000',
      timeEpoch: 1583348638390,
    },
    body: '{"hello":"world"}',
    isBase64Encoded: false,
    ...change,
  };
}

/** Of a REST API, and of an HTTP API with the payload 1.0. */
export function eventV1(change: object = {}): object {
  return {
    version: '1.0',
    resource: '/my/path',
    path: '/my/path',
    httpMethod: 'GET',
    headers: { header1: 'value1', Host: 'id.execute-api.us-east-1.amazonaws.com' },
    multiValueHeaders: {
      Host: ['id.execute-api.us-east-1.amazonaws.com'],
      header1: ['value1'],
      header2: ['value1', 'value2'],
      Cookie: ['cookie1=1; cookie2=2'],
    },
    queryStringParameters: { parameter1: 'value2', 'a b': 'c&d' },
    multiValueQueryStringParameters: { parameter1: ['value1', 'value2'], 'a b': ['c&d'] },
    requestContext: {
      accountId: '123456789012',
      apiId: 'id',
      domainName: 'id.execute-api.us-east-1.amazonaws.com',
      identity: { sourceIp: '192.0.2.1', userAgent: 'user-agent' },
      path: '/prod/my/path',
      protocol: 'HTTP/1.1',
      stage: 'prod',
    },
    pathParameters: null,
    stageVariables: null,
    body: null,
    isBase64Encoded: false,
    ...change,
  };
}

/** Of a load balancer whose target group has no lists of values. */
export function eventOfBalancer(change: object = {}): object {
  return {
    requestContext: {
      elb: {
        targetGroupArn:
          'arn:aws:elasticloadbalancing:us-east-2:123456789012:targetgroup/lambda/49e9d65c45c6791a',
      },
    },
    httpMethod: 'GET',
    path: '/my/path',
    queryStringParameters: { query: '1234%20ABCD' },
    headers: {
      host: 'lambda-alb-123578498.us-east-2.elb.amazonaws.com',
      'x-forwarded-for': '6.6.6.6, 72.12.164.125',
      'x-forwarded-port': '80',
      'x-forwarded-proto': 'http',
    },
    body: '',
    isBase64Encoded: false,
    ...change,
  };
}
