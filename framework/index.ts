// The public names of `fw`, and nothing else.
export {};
