// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "acpbridge",
    targets: [
        .target(name: "CShims"),
        .target(name: "EventLoop", dependencies: ["CShims"]),
        .target(name: "AgentProcess", dependencies: ["EventLoop", "CShims"]),
    ],
    swiftLanguageModes: [.v6]
)
