// Channels: the checks of options, topics and messages.

import { ConfigError } from '../../config-error.js';
import { jsonOf } from '../../http/json-form.js';
import { checkOptions, checkValue } from '../../options/check.js';
import { callback, either, flag, object, objectWith, type Rules, secret, text } from '../../options/rules.js';
import type { ChannelBroker } from '../../streaming/channel-broker.js';
import { isReplayBroker } from './broker-exchange.js';
import type { ChannelManagerOptions } from './channel-manager.js';
import type { HistoryRule } from './history-rules.js';

const LONGEST_TOPIC = 512;

const RULES: Rules<ChannelManagerOptions> = {
  sends: object('an object of schemas by the name of the event, or events<Types>()'),
  broker: objectWith(['publish', 'subscribe'], 'a ChannelBroker, such as a RedisChannelBroker'),
  history: either(object('an object such as { messages: 100 }'), callback('a function (topic) => options')),
  presence: flag,
  historyBounds: object('an object such as { topics: 1000 }'),
};

/** @throws ConfigError if an option is unknown or not of its kind. */
export function checkManager(options: ChannelManagerOptions): ChannelManagerOptions {
  return checkOptions('ChannelManager', options, RULES);
}

export function checkBroker(broker: ChannelBroker, history: HistoryRule | undefined): void {
  if (history === undefined || isReplayBroker(broker)) return;
  throw new ConfigError(
    'FW_CHANNEL_HISTORY',
    'ChannelManager: this broker keeps no messages; for a history give one that does, such as a RedisStreamBroker',
  );
}

export function checkTopic(topic: string): void {
  checkValue('ChannelManager', 'the topic', topic, text);
  if (topic.length > LONGEST_TOPIC) {
    throw new Error(
      `a topic has at most ${LONGEST_TOPIC} characters, got ${topic.length}: '${topic.slice(0, 40)}…'`,
    );
  }
  // Brokers carry UTF-8, which has no lone surrogates: two topics could become the same.
  if (/\p{Surrogate}/u.test(topic))
    throw new Error('a topic is a well-formed text, got one with a lone surrogate');
}

/** What may be published comes from requests: it is not shown. */
export function checkMessage(method: string, message: string | Uint8Array): string | Uint8Array {
  if (typeof message === 'string' || message instanceof Uint8Array) return message;
  return checkValue(`ChannelManager.${method}`, 'the message', message, MESSAGE);
}

const MESSAGE = secret({ ...text, takes: 'a text or bytes; publishJson() takes any value' });

export function publishedText(value: unknown): string {
  const json = jsonOf(value);
  if (json === undefined) throw new Error(`publishJson() takes a value that JSON has, got ${typeof value}`);
  return json;
}
