"""The model, its gradients and its optimiser equal PyTorch's in double precision.

The reference below is written with `torch.nn.functional` and autograd only; it shares no line with the package.
"""

from __future__ import annotations

import copy

import numpy as np
import pytest

from microtransformer import MicroTransformer, ModelConfig, TrainConfig, masks
from microtransformer.optim import Adam

torch = pytest.importorskip(
    "torch", reason="PyTorch is not installed; pip install 'microtransformer[parity]' runs these"
)
F = torch.nn.functional

pytestmark = pytest.mark.parity

EXACT = 1e-10
"""Absolute; the two sum in different orders, and 1e-14 is what that leaves."""

CONFIGS = [
    ModelConfig(),
    ModelConfig(norm="post"),
    ModelConfig(norm="none"),
    ModelConfig(vocab_size=5, seq_len=7, d_model=24, n_heads=4, n_layers=3, d_ff=20, scale_scores=False),
    ModelConfig(vocab_size=26, seq_len=8, d_model=12, n_heads=1, n_layers=4, d_ff=9, norm="post", positions=False),
    ModelConfig(vocab_size=2, seq_len=2, d_model=4, n_heads=4, n_layers=1, d_ff=1, norm="none", positions=False),
]


def reference_logits(w: dict, tokens: torch.Tensor, causal: bool, cfg: ModelConfig) -> torch.Tensor:
    """(B, T) -> (B, T, V)."""

    def norm(x: torch.Tensor, gain: str) -> torch.Tensor:
        return F.rms_norm(x, (cfg.d_model,), w[gain], cfg.rms_eps)

    def attend(x: torch.Tensor, at: str) -> torch.Tensor:
        Q, K, V = (
            F.linear(x, w[at + name].T).unflatten(-1, (cfg.n_heads, -1)).transpose(1, 2)
            for name in ("W_Q", "W_K", "W_V")
        )
        scale = None if cfg.scale_scores else 1.0  # None is PyTorch's own 1 / sqrt(d_k)
        O = F.scaled_dot_product_attention(Q, K, V, is_causal=causal, scale=scale)
        return F.linear(O.transpose(1, 2).flatten(-2), w[at + "W_O"].T)

    def feed(x: torch.Tensor, at: str) -> torch.Tensor:
        gate, up = F.linear(x, w[at + "W_gate"].T), F.linear(x, w[at + "W_up"].T)
        return F.linear(F.silu(gate) * up, w[at + "W_down"].T)

    x = F.embedding(tokens, w["embed.tokens"])
    if cfg.positions:
        x = x + w["embed.positions"]
    for layer in range(cfg.n_layers):
        at = f"layers.{layer}."
        for sublayer, gain in ((attend, at + "norm_attn"), (feed, at + "norm_ffn")):
            if cfg.norm == "pre":
                x = x + sublayer(norm(x, gain), at)
            elif cfg.norm == "post":
                x = norm(x + sublayer(x, at), gain)
            else:
                x = x + sublayer(x, at)
    if cfg.norm == "pre":
        x = norm(x, "norm_out")
    return F.linear(x, w["W_U"].T)


def parameters_of(model: MicroTransformer) -> dict:
    return {name: torch.tensor(value, requires_grad=True) for name, value in model.params.items()}


def a_model(cfg: ModelConfig) -> MicroTransformer:
    """Well away from the start, where the logits are almost 0 and the gains exactly 1."""
    model = MicroTransformer(cfg, seed=2, dtype=np.float64)
    model.theta += 0.2 * np.random.default_rng(0).standard_normal(model.theta.shape)
    return model


def batches(cfg: ModelConfig, count: int) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(1)
    return [tuple(rng.integers(0, cfg.vocab_size, (2, 16, cfg.seq_len))) for _ in range(count)]  # type: ignore[misc]


def reference_loss(w: dict, tokens: np.ndarray, targets: np.ndarray, mask: str, cfg: ModelConfig) -> torch.Tensor:
    logits = reference_logits(w, torch.from_numpy(tokens), mask == "causal", cfg)
    return F.cross_entropy(logits.flatten(0, 1), torch.from_numpy(targets).flatten())


def label(cfg: ModelConfig) -> str:
    return f"{cfg.norm} {cfg.n_layers} layers {cfg.n_heads} heads V{cfg.vocab_size} T{cfg.seq_len}"


@pytest.mark.parametrize("cfg", CONFIGS, ids=label)
@pytest.mark.parametrize("mask", masks.MASKS)
def test_logits_loss_and_every_gradient(cfg: ModelConfig, mask: str) -> None:
    model = a_model(cfg)
    w = parameters_of(model)
    ((tokens, targets),) = batches(cfg, 1)
    M = masks.additive(mask, cfg.seq_len)

    expected = reference_logits(w, torch.from_numpy(tokens), mask == "causal", cfg).detach().numpy()
    np.testing.assert_allclose(model.forward(tokens, M), expected, rtol=0, atol=EXACT)

    expected_loss = reference_loss(w, tokens, targets, mask, cfg)
    expected_loss.backward()
    loss, gradients = model.loss_and_grads(tokens, targets, M)
    assert abs(loss - expected_loss.item()) <= EXACT
    assert gradients.keys() == w.keys()
    for name, gradient in gradients.items():
        np.testing.assert_allclose(gradient, w[name].grad.numpy(), rtol=0, atol=EXACT, err_msg=name)


@pytest.mark.parametrize("weight_decay", [0.0, 0.1])
@pytest.mark.parametrize("cfg", CONFIGS, ids=label)
@pytest.mark.parametrize("mask", masks.MASKS)
def test_ten_steps_of_adam(cfg: ModelConfig, mask: str, weight_decay: float) -> None:
    settings = TrainConfig(learning_rate=3e-3, weight_decay=weight_decay)
    model = a_model(cfg)
    start = copy.deepcopy(model.params)
    w = parameters_of(model)
    adam = Adam(model.theta)
    theirs = torch.optim.AdamW(
        w.values(),
        lr=settings.learning_rate,
        betas=(settings.beta1, settings.beta2),
        eps=settings.adam_eps,
        weight_decay=weight_decay,
    )
    for tokens, targets in batches(cfg, 10):
        _, gradient = model.loss_and_gradient(tokens, targets, masks.additive(mask, cfg.seq_len))
        adam.step(model.theta, gradient, settings)
        theirs.zero_grad()
        reference_loss(w, tokens, targets, mask, cfg).backward()
        theirs.step()
    for name, value in model.params.items():
        np.testing.assert_allclose(value, w[name].detach().numpy(), rtol=0, atol=1e-9, err_msg=name)
        assert np.abs(value - start[name]).max() > settings.learning_rate, name  # it did move
