//go:build otel

package telemetry

// The names of the GenAI conventions v0.1.0. They are still in development, and
// the module has none newer than those of before the change.
const (
	operationName     = "gen_ai.operation.name"
	providerName      = "gen_ai.provider.name"
	outputType        = "gen_ai.output.type"
	requestModel      = "gen_ai.request.model"
	requestMaxTokens  = "gen_ai.request.max_tokens"
	requestStream     = "gen_ai.request.stream"
	requestReasoning  = "gen_ai.request.reasoning.level"
	responseModel     = "gen_ai.response.model"
	responseFinish    = "gen_ai.response.finish_reasons"
	responseFirst     = "gen_ai.response.time_to_first_chunk"
	usageInput        = "gen_ai.usage.input_tokens" // the cached ones too
	usageOutput       = "gen_ai.usage.output_tokens"
	usageCacheRead    = "gen_ai.usage.cache_read.input_tokens"
	usageCacheWrite   = "gen_ai.usage.cache_write.input_tokens"
	usageReasoning    = "gen_ai.usage.reasoning.output_tokens"
	serverAddress     = "server.address"
	serverPort        = "server.port"
	errorType         = "error.type"
	otherError        = "_OTHER"
	metricDuration    = "gen_ai.client.inference.duration"
	metricFirst       = "gen_ai.client.inference.time_to_first_chunk"
	metricChunk       = "gen_ai.client.inference.time_per_output_chunk"
	metricUsage       = "gen_ai.client.inference.usage."
	metricInput       = "gen_ai.client.inference.operation.input_tokens"
	metricOutput      = "gen_ai.client.inference.operation.output_tokens"
	countInput        = "input_tokens"
	countOutput       = "output_tokens"
	countCacheRead    = "cache_read.input_tokens"
	countCacheWrite   = "cache_write.input_tokens"
	countReasoning    = "reasoning.output_tokens"
	scope             = "github.com/nodkeep/nodkeep/assistant/telemetry"
	unitSeconds       = "s"
	unitTokens        = "{token}"
	operationChat     = "chat"
	outputText        = "text"
	resourceService   = "service.name"
	resourceVersion   = "service.version"
	resourceSDK       = "telemetry.sdk.name"
	resourceSDKTongue = "telemetry.sdk.language"
)
