<?php

declare(strict_types=1);

namespace Forewarn;

/** A refusal by the service. `$errorCode` never changes and is for programs; the message may change. */
final class ForewarnException extends \RuntimeException
{
    public readonly ?string $errorCode;
    public readonly ?string $details;
    /** The address of the error's page, on the service. */
    public readonly ?string $doc;

    /** @param array<string, mixed> $body */
    public function __construct(public readonly int $status, array $body, public readonly ?string $requestId)
    {
        $this->errorCode = $body['code'] ?? $body['error_code'] ?? null;
        $this->details = is_string($body['details'] ?? null) ? $body['details'] : null;
        $this->doc = $body['doc'] ?? null;
        $message = $body['msg'] ?? $body['error_msg'] ?? "Status $status";
        parent::__construct(implode(': ', array_filter([is_string($message) ? $message : null, $this->details])));
    }
}
